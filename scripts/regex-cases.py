"""Makes test/unit/service/engine/regex-cases.json: what `re` of Python finds with patterns in texts.

python3 scripts/regex-cases.py          (Python 3.11)

Each case is a pattern, a text, and what Python says: whether it is found, and `re.findall` with null
for groups that have not matched; or the message of its refusal.
"""

import json
import pathlib
import re
import warnings

warnings.simplefilter("ignore")
file = pathlib.Path(__file__).parent.parent / "test" / "unit" / "service" / "engine" / "regex-cases.json"

texts = [
    "", " ", "10 %", "10\u00a0%", "12\u202f%", "a\u2028b", "a\u2029b\n", "line one\nline two", "one\n", "one\n\n", "one\r\ntwo\r",
    "é", "École été 9", "naïve café", "٣٤ and ３ and ५", "x1_y", "ab ab", "aAbB", "ſKİıik", "Straße STRASSE ẞ", "ΑΣ ας σ", "\x1c\x85\x0b",
    "2026-11-30", "#12 #345", "a.b.c", "foo.bar@example.com", "😀a😀", "a😀b", "\ufeffx", "\u200b", "日本語 テスト", "yes\n", "[x] (y) {z}", "a\\b",
    "aaa", "abab", "axbx", "test words", "-_-", "\t tab", "½ ² ① Ⅷ", "price: $5.00", "\n", "a\n\nb", "  \u00a0", "if i İF ıf", "a-b", "key=value; k2=v2", "A1b2C3", "S s K k", "aB bS bs", "µ ß",
]
patterns = [
    r"\d", r"\D", r"\s", r"\S", r"\w", r"\W", r"\d+\s%", r"^\s*$", r"\b", r"\B", r"\bcaf\w+\b", r"\b\w+\b", r"\w+", r"\W+", r"[\w-]+", r"[^\w\s]", r"[\W_]", r"[^\W_]+", r"[^\W\d_]+", r"[^\W\d]+", r"[\S]+", r"[^\S\n]+", r"[\D]", r"[^\D]", r"[\s\d]+", r"[^\s\d]+",
    r".", r".+", r"(?s).+", r"^.", r".$", r"^", r"$", r"\A", r"\Z", r"\Aone\Z", r"^one$", r"one$", r"(?m)^", r"(?m)$", r"(?m)^.*$", r"(?m)^\w+", r"\w+$", r"(one|two)$", r"one$\n", r"(?:^|\s)a", r"a$|b$", r"($)", r"\s*$",
    r"(?i)é", r"(?i)ÉCOLE", r"(?i)[à-ü]", r"(?i)k", r"(?i)s", r"(?i)i", r"(?i)İ", r"(?i)ı", r"(?i)[a-z]+", r"(?i)[^i]+", r"(?i)ß", r"(?i)ς", r"(?i)a", r"(?i)\w", r"(?i)STRASSE", r"(?i:a)b", r"(?i)(?-i:a)B", r"(?i)if",
    r"(?P<y>\d{4})-(?P<m>\d\d)", r"#(\d+)", r"(\w+)@(\w+)\.com", r"(a)|(b)", r"(a)?b", r"(ab)*", r"(a|b)*", r"(.)\1", r"(?P<x>a)(?P=x)", r"(\w)(\w)\2\1", r"(\w+) \1", r"(?i)(a)\1",
    r"(?=a)", r"(?!a)", r"(?<=a)b", r"(?<!a)b", r"\w+(?=\s)", r"(?<=\s)\w+", r"(?<=\$)\d+", r"(?=(a))\w", r"^(?!.*x)", r"(?<=é)", r"(?<![\w])\w", r"(?<=\b)a",
    r"a*", r"a*?", r"a+?", r"a??", r"x*", r"a{2}", r"a{,2}", r"a{1,}", r"a{1,2}?", r"a{", r"a{b}", r"{", r"a{,}", r"\b|\w+", r"|a", r"a|", r"()", r"(?:)", r"a**", r"a{2}{3}", r"(?:a{2}){1}", r"[a-c]+", r"[]a]+", r"[^]a]+", r"[a-]", r"[-a]", r"[a\-z]", r"[\]]", r"[[:alpha:]]", r"[\b]", r"[.]", r"[$^]", r"[😀]", r"[😀-😂]a", r"😀", r"[\x41-\x5a]+", r"\x41", r"\u00e9", r"\U0001F600", r"\101", r"\0", r"\n", r"\r\n", r"\t", r"\.", r"\-", r"\/", r"\#", r"\ ", r"\\", r"\_",
    r"(?x) a b  # comment", r"(?x)\w +", r"(?a)\w+", r"(?a)\d", r"(?a)\s", r"(?a)\bcaf", r"(?a:\w+)é", r"(?#c)a", r"a(?#c)+", r"(?u)\w", r"(?:a|b)c?", r"(?:a|)*", r"(?:\b|x)?", r"(a*)?", r"(a*)??", r"(?:|x)?", r"(\w{,2}(?<!x))?", r"(?:a|b*)+", r"(?i:b)[^s]", r"(?i:a)[b]", r"(?:(?i:x)|)[^s]", r"(?i)ſ", r"(?i)\u212a", r"(?i)ẞ", r"(?i)μ", r"a|b|c", r"(?s:.)", r"(?m:^)b", r"(?-i:a)",
    r"\q", r"\p{L}", r"\z", r"\Q", r"\cA", r"\8", r"\1", r"(\1)", r"(?P=n)", r"(?<n>a)", r"(?P<n>a)(?P<n>b)", r"(", r")", r"[", r"[z-a]", r"*", r"+a", r"?", r"^*", r"a{2,1}", r"(?", r"(?z)", r"(?P<1>a)", r"(?P<>a)", r"(?P", r"(?=", r"(?<=a+)b", r"(?<=a|bc)d", r"(?<=ab|cd)e", r"a(?i)", r"(?i", r"\x4", r"\u12", r"\N{DASH}", r"(?L)a", r"[\q]", r"[\Z]", r"\400", "\\", r"[a-\d]", r"(?(1)a)", r"(?#x", r"(?:", r"(?a-u:x)", r"[\8]", r"\08", r"(a)\10", r"(?:\1(a))+", r"(a)\01", r"\123", r"[\123]",
    r"\d{4}-\d{2}-\d{2}", r"^\d{4}-\d{2}-\d{2}$", r"[A-Z]\d", r"(\w)=(\w+)", r"\b[A-Z]\w*", r"\$(\d+\.\d{2})", r"[^,;]+", r"(?:[a-z]\d)+", r"\b\d", r"\Bb", r"[\u4e00-\u9fff]+", r"(?i)[^\W\d]+", r"(?i)[\W]", r"\S+@\S+", r"[\d\w]+", r"[\s\S]", r"[^\s\S]", r"[\d\D]+", r"[^\d\D]", r"\s{2,}", r"(?m)\s+$",
]
# Done by Python, refused by name here: it must never be answered otherwise.
unknown = [r"(?:(a)|b)*", r"(a*)*", r"(a*)+", r"(|a)+", r"a++", r"(?>a)b", r"(a)(?(1)b)", r"(a)?\1", r"(?:(a)|b)*\1", r"(?=a)(?:(a)|b)*", r"(?ai)a", r"(?:|a)*", r"(?:a*|b)+", r"(?:^|.){0,}", r"(?:a*?)*b"]


def found(pattern, text):
    return [
        match.group() if pattern.groups == 0 else match.group(1) if pattern.groups == 1 else list(match.groups())
        for match in pattern.finditer(text)
    ]


answers = []
for source in patterns + unknown:
    try:
        pattern = re.compile(source)
    except re.error as error:
        answers.append({"pattern": source, "error": str(error)})
        continue
    except Exception as error:
        answers.append({"pattern": source, "error": str(error)})
        continue
    answers.append({"pattern": source, "found": [found(pattern, text) if pattern.search(text) else None for text in texts]})
lines = ",\n".join(json.dumps(answer, ensure_ascii=False) for answer in answers)
file.write_text(
    '{\n"source": "Found by re of Python 3.11; null: nothing. Made by scripts/regex-cases.py.",\n'
    f'"texts": {json.dumps(texts)},\n"unknown": {json.dumps(unknown)},\n"patterns": [\n{lines}\n]\n}}\n',
    "utf-8",
)
print(len(answers), "patterns,", len(texts), "texts,", sum("error" in answer for answer in answers), "refused")
