"""Prints the examples of TableGen descriptions as IR separated by // -----.

usage: doc_examples.py FILE.td...

An example is a ```mlir block; one with an ellipsis is a sketch and is left out.
A block of attributes becomes a function that carries them. Fails if an operation
or attribute has no example.
"""

import re
import sys
import textwrap


def examples(text):
    for block in re.findall(r"```mlir\n(.*?)```", text, re.DOTALL):
        if "…" in block:
            continue
        block = textwrap.dedent(block)
        if re.match(r"#\w+\.", block):
            attributes = re.split(r"\n(?=#)", block.strip())
            named = [f"a{i} = {a}" for i, a in enumerate(attributes)]
            named = ",\n".join(named)
            block = f"func.func private @f() attributes {{\n{named}}}\n"
        yield block


def missing(text, found):
    pattern = r'def \w+\s*:\s*(DeltaNet|Fragment)_\w*?(Op|Attr|Layout)<\s*"(\w+)"(?:,\s*"(\w+)")?'
    for dialect, kind, name, mnemonic in re.findall(pattern, text):
        mark = ("" if kind == "Op" else "#") + f"{dialect.lower()}.{mnemonic or name}"
        if not any(re.search(re.escape(mark) + r"\b", example) for example in found):
            yield mark


def main():
    text = ""
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text += file.read()
    found = list(examples(text))
    without = list(missing(text, found))
    if without:
        sys.exit("no example for " + ", ".join(without))
    print("\n// -----\n\n".join(found))


main()
