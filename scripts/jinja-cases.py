"""Makes test/unit/core/templates/jinja-cases.json: templates, and the texts that Jinja2 makes of them.

python3 scripts/jinja-cases.py          (Python 3 with Jinja2 3.1.6)

Null is printed as nothing, as the service prints it; everything else is Jinja2 as it comes. A text
of null: Jinja2 refuses the template. The templates by hand stand in jinja-sources.txt, separated by
lines of "====="; the random ones are made here from a fixed seed.
"""

import json
import pathlib
import random

import jinja2

folder = pathlib.Path(__file__).parent.parent / "test" / "unit" / "core" / "templates"
environment = jinja2.Environment(finalize=lambda value: "" if value is None else value)

variables = json.loads((folder / "jinja-variables.json").read_text("utf-8"))


def rendered(source):
    try:
        # Fresh ones each time: a template may change what it is given.
        given = json.loads(json.dumps(variables))
        text = environment.from_string(source).render(given)
    except Exception:  # whatever Python raises: there is no text
        return None
    return None if " at 0x" in text or "<built-in" in text else text


class Grammar:
    """Templates that mostly make sense, by kind of value."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self, *choices):
        choice = self.random.choice(choices)
        return choice() if callable(choice) else choice

    def number(self, depth=2):
        r = self.random
        if depth == 0:
            return self.one("n", "zero", "f", "p", "yes", "3", "10.0", "0.5", "7", "-2", "2", "big", "u.age", "i")
        a, b = (lambda: self.number(depth - 1)), (lambda: self.number(depth - 1))
        return self.one(
            lambda: self.number(0),
            lambda: f"{a()} + {b()}",
            lambda: f"{a()} - {b()}",
            lambda: f"{a()} * {b()}",
            lambda: f"({a()} + {b()})",
            lambda: f"{a()} / {b()}",
            lambda: f"{a()} // {b()}",
            lambda: f"{a()} % {b()}",
            lambda: f"{self.number(0)} ** {r.choice(['2', '3', '0', '1'])}",
            lambda: f"-{self.one('n', 'f', '3', '10.0')}",
            lambda: f"{self.list(1)}|length",
            lambda: f"{self.text(1)}|length",
            lambda: f"({a()})|round({r.choice(['', '1', '2', '0', '-1'])})",
            lambda: f"({a()})|round({r.choice(['1', '0'])}, '{r.choice(['ceil', 'floor'])}')",
            lambda: f"({a()})|abs",
            lambda: f"({a()})|int",
            lambda: f"({a()})|float",
            lambda: f"({self.text(1)})|int",
            lambda: f"({self.text(1)})|float",
            lambda: f"[{a()}, {b()}]|sum",
            lambda: f"[{a()}, {b()}]|{r.choice(['min', 'max', 'first', 'last'])}",
            lambda: f"({a()} if {self.truth(1)} else {b()})",
            lambda: f"numbers[{r.choice(['0', '-1', '1'])}]",
        )

    def text(self, depth=2):
        r = self.random
        if depth == 0:
            return self.one("name", "empty", "sp", "uni", "'a b-c'", '"x"', "nl", "html", "title", "words[0]", "digits")
        a, b = (lambda: self.text(depth - 1)), (lambda: self.text(depth - 1))
        return self.one(
            lambda: self.text(0),
            lambda: f"{a()} ~ {b()}",
            lambda: f"({a()} ~ {self.number(1)})",
            lambda: f"({a()} + {b()})",
            lambda: f"({a()})|{r.choice(['upper', 'lower', 'title', 'capitalize', 'trim', 'string', 'reverse', 'e', 'urlencode', 'safe', 'striptags', 'indent', 'wordcount'])}",
            lambda: f"({a()}).{r.choice(['upper', 'lower', 'title', 'capitalize', 'strip', 'lstrip', 'rstrip', 'swapcase', 'isdigit', 'isalpha', 'isspace', 'isupper', 'islower', 'isalnum'])}()",
            lambda: f"""({a()})|replace({r.choice(['"a"', '"n"', '""', '" "'])}, {self.text(0)}{r.choice(['', ', 1'])})""",
            lambda: f"""({a()})|truncate({r.choice(['5', '8, true', '6, false, "..", 0', '10'])})""",
            lambda: f"({a()})|center({r.choice(['9', '12', '3'])})",
            lambda: f"""({a()})|wordwrap({r.choice(['5', '3, false', '8, true, "/"', '2', '4, break_on_hyphens=false'])})""",
            lambda: f"({self.number(1)})|filesizeformat{r.choice(['', '(true)'])}",
            lambda: f"{r.choice(['d', 'o', 'u', 'eo'])}|xmlattr{r.choice(['', '(false)'])}",
            lambda: f"""({a()})|indent({r.choice(['2', '1, true', '3, blank=true', '"> "'])})""",
            lambda: f"({a()})[{self.slice()}]",
            lambda: f"({a()})[{r.choice(['0', '-1', '1', '9'])}]",
            lambda: f"({a()}) * {r.choice(['2', '0', '3', '-1'])}",
            lambda: f"""{self.list(1)}|join({r.choice(['', '", "', '"|"'])})""",
            lambda: f"'{r.choice(['%s', '%5s|', '%-6s|', '%.2s', '%r'])}' % ({a()})",
            lambda: f"'{r.choice(['%d', '%05d', '%.2f', '%8.3f|', '%+d', '%x', '%e', '%g', '%5.1f|', '%-8.2f|', '%i%%'])}' % ({self.number(1)})",
            lambda: f"'{r.choice(['%s', '%.1f', '%d'])}'|format({self.number(1)})",
            lambda: "'" + r.choice(["{}", "{:>8}|", "{:<8}|", "{:^9}|", "{!r}", "{:.2}"]) + f"'.format({a()})",
            lambda: "'" + r.choice(["{}", "{:.2f}", "{:8.1f}|", "{:,}", "{:+d}", "{:05d}", "{:.1%}", "{:e}", "{:x}", "{:,.2f}", "{:g}"]) + f"'.format({self.number(1)})",
            lambda: f"{self.list(1)}|tojson",
            lambda: f"u|tojson(indent={r.choice(['2', '1', '0'])})",
            lambda: f"""({a()}).split({r.choice(['', '" "', '"-"', '" ", 1', 'none, 1'])})""",
            lambda: f"""({a()}).{r.choice(['find', 'count', 'startswith', 'endswith', 'rfind', 'index'])}({r.choice(['"a"', '"n"', '""', '" "', '"x"'])})""",
            lambda: f"({a()}).{r.choice(['ljust', 'rjust', 'center', 'zfill'])}({r.choice(['6', '12'])})",
            lambda: f"""({a()}).{r.choice(['partition', 'rpartition', 'rsplit', 'removeprefix', 'removesuffix'])}({r.choice(['" "', '"a"', '"-"'])})""",
            lambda: f"({a()}).splitlines()",
        )

    def slice(self):
        r = self.random
        bound = lambda: r.choice(["", "1", "2", "-1", "-2", "0", "5"])
        return f"{bound()}:{bound()}" + r.choice(["", "", ":", ":2", ":-1", ":-2"])

    def list(self, depth=2):
        r = self.random
        if depth == 0:
            return self.one("list", "words", "numbers", "users", "nix", "rows", "[1, 2, 3]", "['b', 'a']", "range(4)", "range(1, 9, 3)", "d", "u", "(1, 'x')", "scores", "mixed")
        a = lambda: self.list(depth - 1)
        return self.one(
            lambda: self.list(0),
            lambda: f"[{self.number(1)}, {self.text(1)}]",
            lambda: f"({a()})[{self.slice()}]",
            lambda: f"{a()}|list",
            lambda: f"{a()}|sort{r.choice(['', '(reverse=true)', '(true)', '(case_sensitive=true)'])}",
            lambda: f"users|sort(attribute='{r.choice(['name', 'age', 'age,name', 'town.zip'])}'{r.choice(['', ', reverse=true'])})",
            lambda: f"{a()}|{r.choice(['unique', 'reverse', 'batch(2)', 'slice(2)', 'batch(3, 0)', 'slice(3, none)'])}|list",
            lambda: f"{a()}|map('{r.choice(['upper', 'string', 'int', 'float', 'length', 'abs', 'title', 'round', 'first', 'tojson'])}')|list",
            lambda: f"""users|map(attribute='{r.choice(['name', 'age', 'town.zip', 'tags', 'x', 'tags.0'])}'{r.choice(['', ', default="-"'])})|list""",
            lambda: f"{a()}|{r.choice(['select', 'reject'])}('{r.choice(['odd', 'even', 'string', 'number', 'none', 'defined', 'true', 'integer', 'float', 'mapping', 'sequence', 'iterable', 'boolean'])}')|list",
            lambda: f"""{a()}|{r.choice(['select', 'reject'])}('{r.choice(['gt', 'lt', 'ge', 'eq', 'ne', '<=', 'divisibleby', 'in'])}', {r.choice(['2', '"b"', '[1, "a"]', '0.5'])})|list""",
            lambda: f"""users|{r.choice(['selectattr', 'rejectattr'])}({r.choice(['"age"', '"tags"', '"age", "gt", 20', '"name", "eq", "Bo"', '"x", "defined"', '"town.zip", "ne", none'])})|map(attribute='name')|list""",
            lambda: f"""{r.choice(['d', 'u', 'o', 'eo'])}|{r.choice(['dictsort', 'items|list', 'dictsort(reverse=true)', 'list', 'dictsort(false, "key")'])}""",
            lambda: f"{r.choice(['d', 'u', 'o'])}.{r.choice(['items()', 'keys()', 'values()'])}{r.choice(['', '|list'])}",
            lambda: f"""users|groupby('{r.choice(['age', 'town.zip', 'name'])}'){r.choice(['', '|list', '|map(attribute=0)|list', '|map(attribute="grouper")|list'])}""",
            lambda: f"({a()} + {a()})",
            lambda: f"[{a()}, {self.number(1)}]",
            lambda: "{'a': " + self.number(1) + ", " + r.choice(["'b'", "1", "none", "2.0"]) + ": " + self.text(1) + "}",
            lambda: f"({self.number(1)}, {self.text(1)})",
            lambda: f"[0] * {r.choice(['2', '0'])}",
            lambda: f"{self.text(1)}|list",
        )

    def truth(self, depth=2):
        r = self.random
        if depth == 0:
            return self.one("yes", "no", "true", "n", "empty", "nix", "missing", "nil", "name")
        a, b = (lambda: self.truth(depth - 1)), (lambda: self.truth(depth - 1))
        return self.one(
            lambda: self.truth(0),
            lambda: f"not {a()}",
            lambda: f"{a()} and {b()}",
            lambda: f"({a()} or {b()})",
            lambda: f"{self.number(1)} {r.choice(['<', '>', '<=', '>=', '==', '!='])} {self.number(1)}",
            lambda: f"{self.number(0)} < {self.number(0)} {r.choice(['<', '<=', '!='])} {self.number(0)}",
            lambda: f"{self.text(1)} {r.choice(['==', '!=', '<', '>', 'in', 'not in'])} {self.text(1)}",
            lambda: f"""{r.choice(['n', 'f', 'name', '2', '10', '"a"'])} {r.choice(['in', 'not in'])} {self.list(1)}""",
            lambda: f"{self.list(0)} {r.choice(['==', '!='])} {self.list(0)}",
            lambda: f"{r.choice(['n', 'f', 'name', 'nil', 'missing', 'list', 'd', 'yes', 'p', 'numbers', 'rows.0'])} is {r.choice(['', 'not '])}{r.choice(['defined', 'none', 'string', 'number', 'mapping', 'sequence', 'iterable', 'integer', 'float', 'boolean', 'true', 'false', 'undefined', 'callable', 'escaped'])}",
            lambda: f"{r.choice(['n', 'i', 'zero', '7'])} is {r.choice(['odd', 'even', 'divisibleby 3', 'divisibleby(2)', 'eq 3', 'gt 1', 'in [1, 3]', 'lt(5)', 'sameas none'])}",
            lambda: f"""{self.text(0)} is {r.choice(['upper', 'lower', 'string', 'in words', 'eq "x"'])}""",
        )

    def value(self):
        return self.one(
            lambda: self.number(), lambda: self.text(), lambda: self.list(), lambda: self.truth(),
            lambda: self.list(1), lambda: self.text(1),
            lambda: self.one("d.a", "d.zzz", "u.town.zip", "users[0].name", "users[-1].tags[0]", "missing", "nil", "o['x']", "d.items", "rows[1][0]", "list.3"),
        )

    def print(self):
        dash = lambda: self.random.choice(["", "", "", "-"])
        return "{{" + dash() + " " + self.value() + " " + dash() + "}}"

    def block(self, depth):
        space = lambda: self.random.choice(["", " ", "\n", "  \n", "x", ", "])
        parts = [space()]
        for _ in range(self.random.randint(1, 2)):
            parts += [self.statement(depth), space()]
        return "".join(parts)

    def tag(self, text):
        dash = lambda: self.random.choice(["", "", "", "-", "+"])
        return "{%" + dash() + " " + text + " " + self.random.choice(["", "", "", "-"]) + "%}"

    def statement(self, depth):
        if depth == 0:
            return self.print()
        r = self.random
        inner = lambda: self.block(depth - 1)
        t = self.tag
        return self.one(
            self.print,
            self.print,
            lambda: t(f"if {self.truth()}") + inner() + r.choice(["", t("else") + inner(), t(f"elif {self.truth(1)}") + inner()]) + t("endif"),
            lambda: t(f"for x in {self.list(1)}" + r.choice(["", "", f" if {r.choice(['x', 'x is number', 'x != n', 'loop.index', 'x is string'])}"])) + r.choice(["{{ loop.index }}", "{{ x }}", "{{ loop.last }}", "{{ loop.revindex0 }}{{ loop.length }}", "{{ loop.cycle('a', 'b') }}", "{{ loop.changed(x) }}", "{{ loop.previtem }}|{{ loop.nextitem }}", "{% set n = n + 1 %}{{ n }}", "{% set _ = acc.append(x) %}"]) + inner() + r.choice(["", t("else") + inner()]) + t("endfor"),
            lambda: t(f"""for k, v in {r.choice(['d.items()', 'u.items()', 'rows', 'o|items', 'o|dictsort', 'users|groupby("age")', '[[1, 2]]', 'words'])}""") + "{{ k }}={{ v }};" + t("endfor"),
            lambda: t(f"set {r.choice(['x', 'n', 'name', 'words'])} = {self.value()}") + inner(),
            lambda: t("set x") + inner() + t("endset") + "[{{ x }}]",
            lambda: t("set x | upper") + inner() + t("endset") + "[{{ x }}]",
            lambda: t(f"with {r.choice(['x', 'n'])} = {self.value()}") + inner() + t("endwith") + "{{ n }}",
            lambda: t("filter " + r.choice(["upper", "trim", "replace('a', 'b')", "e", "indent(2)", "title", "length"])) + inner() + t("endfilter"),
            lambda: t("macro m(a, b=2, c=n)") + "{{ a }}{{ b }}{{ c }}" + r.choice(["", inner(), "{{ varargs }}{{ kwargs }}"]) + t("endmacro") + "{{ m(" + r.choice(["1", "1, 2", "a=3", "", "b=5", "1, 2, 3, 4", "c=1, a=name", "1, z=2"]) + ") }}",
            lambda: t("macro m(a)") + r.choice(["<{{ a }}{{ caller(a) }}>", "{{ a }}{{ varargs }}{{ kwargs }}{{ caller is defined }}"]) + t("endmacro") + t(r.choice(["call(y) m(n)", "call m(1)", "call(n) m('z')"])) + inner() + r.choice(["", "{{ y }}{{ n }}"]) + t("endcall"),
            lambda: t("set ns = namespace(t=0)") + t(f"for x in {r.choice(['numbers', 'words', 'list', 'range(3)'])}") + t(r.choice(["set ns.t = ns.t + 1", "set ns.t = x", "set ns.u = loop.index"])) + t("endfor") + "{{ ns.t }}{{ ns.u }}",
            lambda: "{% raw %}" + r.choice(["{{ x }}", "{% if %}", " {#"]) + "{% endraw %}",
            lambda: r.choice(["{# c #}", "{#- c -#}", "{# {{ x }} -#}"]),
            lambda: t("print " + self.value() + r.choice(["", ", n"])),
        )

    def template(self):
        source = self.block(self.random.choice([0, 0, 1, 1, 2]))
        return source.replace("acc.", "words.") if "acc." in source and self.random.random() < 0.1 else ("{% set acc = [] %}" + source + "{{ acc }}" if "acc." in source else source)


def random_cases(seed, count, most_bytes):
    grammar = Grammar(seed)
    cases, seen, refused = [], set(), 0
    size = 0
    while len(cases) < count and size < most_bytes:
        source = grammar.template()
        if source in seen or len(source) > 250:
            continue
        seen.add(source)
        text = rendered(source)
        if text is None:
            # Most mistakes are alike: one in four templates is enough of them.
            refused += 1
            if refused % 3 != 0:
                continue
        elif len(text) > 300:
            continue
        cases.append([source, text])
        size += len(source) + len(text or "") + 12
    return cases


sources = (folder / "jinja-sources.txt").read_text("utf-8").split("\n=====\n")
unusual = ["\r\n{{ name }}\r\n", "\ufeff{{ name }}", "a\x85 {{- name }}", "a\ufeff {{- name }}", "a\xa0{{- name }}", "{{\xa0name }}", "{{ \x85name }}", "a\r\nb\rc{{ n }}\r", "{{ 'a\r\nb' }}", "{{ name }}\n", "\n"]
cases = {
    "source": f"Rendered by Jinja2 {jinja2.__version__}, null printed as nothing; null: it refuses the template. Made by scripts/jinja-cases.py.",
    "cases": [[source, rendered(source)] for source in [*sources, *unusual]],
    "random": random_cases(20261130, 3000, 250_000),
}
lines = [json.dumps(cases["source"], ensure_ascii=False)]
text = '{\n"source": ' + lines[0] + ",\n"
for part in ("cases", "random"):
    body = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases[part])
    text += f'"{part}": [\n{body}\n]' + (",\n" if part == "cases" else "\n}\n")
(folder / "jinja-cases.json").write_text(text, "utf-8")
print(len(cases["cases"]), "by hand,", sum(1 for _, text in cases["cases"] if text is None), "refused;", len(cases["random"]), "random,", sum(1 for _, text in cases["random"] if text is None), "refused")
