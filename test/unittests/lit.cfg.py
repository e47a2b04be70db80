# Runs every executable *Tests below the build's unittests folder.
import os

import lit.formats

config.name = "Delta-Net-Unit"
config.test_exec_root = os.path.join(config.deltanet_obj_root, "test", "unittests")
config.test_source_root = config.test_exec_root
config.test_format = lit.formats.GoogleTest(".", "Tests")
