"""Writes csv.jsonl: random files of separated values, and what Python's own reader makes of them.

    python3 test/unit/core/imports/reference/make-csv.py

The same numbers come every time. A line is a file: its bytes in Base64, what has to be told about it
(absent: it must be found out), and its records. Python knows no null: an empty field is ''.
"""

import base64
import csv
import io
import json
import pathlib
import random

here = pathlib.Path(__file__).parent
rng = random.Random(20261130)

# Python's name, ours, and whether it can be found out; with letters that each of them has.
ENCODINGS = [
    ("utf-8", "utf-8", True, "aé🙂漢ß "),
    ("utf-8-sig", "utf-8", True, "aé🙂漢ß "),
    ("utf-16", "utf-16le", True, "aé🙂漢ß "),
    ("utf-16-le", "utf-16le", True, "aéß 1"),
    ("utf-16-be", "utf-16be", True, "aéß 1"),
    ("cp1252", "windows-1252", False, "aé€œß "),
    ("latin-1", "windows-1252", False, "aé§ß "),
    ("iso8859-15", "iso-8859-15", False, "aé€ßž "),
    ("cp1250", "windows-1250", False, "ažłőß "),
    ("cp1251", "windows-1251", False, "aджЯ "),
    ("koi8-r", "koi8-r", False, "aджЯ "),
    ("shift_jis", "shift_jis", False, "a漢字カー表 "),
    ("euc_jp", "euc-jp", False, "a漢字カー表 "),
    ("gbk", "gbk", False, "a汉字编码 "),
    ("gb18030", "gb18030", False, "a汉字🙂 "),
    ("big5", "big5", False, "a漢字功許 "),
    ("euc_kr", "euc-kr", False, "a한글 "),
]
LINE_ENDS = ["\n", "\r\n", "\r"]


def field(letters, delimiter, quote):
    """A field as it is written. In it anything may stand that a quote protects."""
    kind = rng.random()
    if kind < 0.1:
        return ""
    text = "".join(rng.choice(letters) for _ in range(rng.randint(1, 6)))
    if quote and kind < 0.45:
        signs = letters + "," + ";" + delimiter + quote + "\n\r"
        text = "".join(rng.choice(signs) for _ in range(rng.randint(0, 8)))
        return quote + text.replace(quote, quote + quote) + quote
    if kind < 0.55:
        # A quote that begins nothing is a sign like others.
        return "b" + (quote or '"') + text
    return "x" + text


def make():
    python, ours, is_found, letters = rng.choice(ENCODINGS)
    delimiter = rng.choice([",", ";", "\t", "|", "^", ":"])
    quote = rng.choice(['"', '"', '"', "'", ""])
    width = rng.randint(2, 5)
    ends = [rng.choice(LINE_ENDS)] if rng.random() < 0.5 else LINE_ENDS
    text = ""
    for number in range(rng.randint(1, 9)):
        if rng.random() < 0.1:
            text += rng.choice(ends)
        count = width if number == 0 or rng.random() < 0.85 else rng.randint(1, width)
        fields = [field(letters, delimiter, quote) for _ in range(count)]
        fields[0] = "x" + fields[0].replace(quote or '"', "").replace("\n", "").replace("\r", "").replace(delimiter, "")
        text += delimiter.join(fields) + rng.choice(ends)
    if rng.random() < 0.3:
        text = text.rstrip("\r\n")
    how = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
    records = [record for record in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, **how) if record]
    told = {"delimiter": delimiter, "quote": quote}
    if not is_found:
        told["encoding"] = ours
    return {
        "bytes": base64.b64encode(text.encode(python)).decode(),
        "encoding": ours,
        "reported": told,
        "records": records,
    }


with open(here / "csv.jsonl", "w", encoding="utf-8", newline="\n") as file:
    for _ in range(400):
        file.write(json.dumps(make(), ensure_ascii=True) + "\n")
