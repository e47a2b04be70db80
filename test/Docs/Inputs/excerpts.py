# ===- excerpts.py - The code in a page of documentation --------------------===#
#
# Part of the Delta-Net project.
#
# Usage: excerpts.py PAGE.md LANGUAGE NUMBER. Prints the NUMBER-th block of code
# in that language, counted from 1.
#
# ===-----------------------------------------------------------------------===#
import re
import sys

page, language, number = sys.argv[1:]
with open(page) as text:
    blocks = re.findall(rf"^```{language}\n(.*?)^```", text.read(), re.M | re.S)
print(blocks[int(number) - 1], end="")
