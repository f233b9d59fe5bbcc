"""Writes parquet.jsonl: Parquet files of real writers, and the values that they were given.

    python3 test/unit/core/imports/reference/make-parquet.py      (with pyarrow, polars and duckdb)

A line is a file: its bytes in Base64, the names of its columns, and its rows as JSON texts (null:
nothing). Every type stands by itself, in a list, in a structure, in a list of structures and in a map.
"""

import base64
import datetime as dt
import decimal
import io
import json
import pathlib
import tempfile
import uuid

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

decimal.getcontext().prec = 80
here = pathlib.Path(__file__).parent
D = decimal.Decimal


def pieces(count, per_second, zone):
    """A moment that is counted in units since 1970, with as many decimals as its unit has."""
    seconds, part = divmod(count, per_second)
    text = (dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)).isoformat()
    return text + (f".{part:0{len(str(per_second)) - 1}}" if part else "") + zone


UNITS = {"s": 1000, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}
FACTORS = {"s": 1000, "ms": 1, "us": 1, "ns": 1}


def text(value, kind):
    """As JSON, by the type; None: there is nothing."""
    if value is None:
        return "null"
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return "[" + ",".join(text(item, kind.value_type) for item in value) + "]"
    if pa.types.is_map(kind):
        names = lambda key: key if isinstance(key, str) else text(key, kind.key_type).strip('"')
        return "{" + ",".join(json.dumps(names(k), ensure_ascii=False) + ":" + text(v, kind.item_type) for k, v in value) + "}"
    if pa.types.is_struct(kind):
        return "{" + ",".join(json.dumps(f.name, ensure_ascii=False) + ":" + text(value.get(f.name), f.type) for f in kind) + "}"
    if pa.types.is_timestamp(kind):
        zone = "Z" if kind.tz else ""
        return json.dumps(pieces(value * FACTORS[kind.unit], UNITS[kind.unit], zone))
    if pa.types.is_time(kind):
        return json.dumps(pieces(value, UNITS[kind.unit], "")[11:])
    if pa.types.is_date(kind):
        return json.dumps(value.isoformat())
    if pa.types.is_decimal(kind):
        return format(value, "f")
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
        try:
            return json.dumps(value.decode(), ensure_ascii=False)
        except UnicodeDecodeError:
            return json.dumps(base64.b64encode(value).decode())
    if pa.types.is_floating(kind):
        return json.dumps(str(value)) if value != value else f"{value:.17g}" if value == int(value) else repr(value)
    return json.dumps(value, ensure_ascii=False)


KINDS = {
    "int64": (pa.int64(), [2**63 - 1, -(2**63)]),
    "uint64": (pa.uint64(), [2**64 - 1, 0]),
    "uint32": (pa.uint32(), [2**32 - 1, 0]),
    "int8": (pa.int8(), [-128, 127]),
    "double": (pa.float64(), [0.1, -2.5, 10.0]),
    "float": (pa.float32(), [0.1, -2.5]),
    "boolean": (pa.bool_(), [True, False]),
    "text": (pa.string(), ["Zoë 🙂", "", "a\x00b", "\ufeffx", "1"]),
    "bytes": (pa.binary(), [b"abc", b"\xff\x00\xfe", b""]),
    "decimal 9": (pa.decimal128(9, 2), [D("1.50"), D("-9999999.99")]),
    "decimal 18": (pa.decimal128(18, 4), [D("99999999999999.9990"), D("-0.0001")]),
    "decimal 38": (pa.decimal128(38, 10), [D("1234567890123456789012345678.0123456789"), D("-0.0000000001")]),
    "decimal 76": (pa.decimal256(76, 6), [D("1" * 70 + ".500000"), D("0.000001")]),
    "date": (pa.date32(), [dt.date(2024, 2, 29), dt.date(1, 1, 1), dt.date(9999, 12, 31)]),
    "time ms": (pa.time32("ms"), [86_399_999, 0]),
    "time us": (pa.time64("us"), [86_399_999_999, 1]),
    "time ns": (pa.time64("ns"), [86_399_999_999_999, 1]),
    "dictionary": (pa.dictionary(pa.int32(), pa.string()), ["a", "b"]),
}
for unit in ("s", "ms", "us", "ns"):
    for zone in (None, "UTC", "America/New_York"):
        KINDS[f"timestamp {unit} {zone}"] = (pa.timestamp(unit, zone), [1_709_251_199, -1, 0])

files = []


def add(about, table, rows, **options):
    to = io.BytesIO()
    pq.write_table(table, to, store_schema=False, **options)
    files.append([about, to.getvalue(), table.column_names, rows])


CODECS = ["none", "snappy", "gzip", "zstd", "brotli", "lz4"]
for at, (about, (kind, values)) in enumerate(KINDS.items()):
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    struct = pa.struct([("x", plain), ("y.z", pa.struct([("__proto__", plain)]))])
    types = {
        "one": kind,
        "list": pa.list_(plain),
        "lists": pa.list_(pa.list_(plain)),
        "struct": struct,
        "structs": pa.list_(struct),
        "map": pa.map_(pa.string(), plain),
    }
    rows = []
    for n, value in enumerate([*values, None]):
        rows.append([
            value,
            [value, None] if n else [],
            [[value], [], None] if n else None,
            {"x": value, "y.z": {"__proto__": value}} if n else {"x": None, "y.z": None},
            [{"x": value, "y.z": None}, None] if n else [],
            [("__proto__", value), ("", None), ("constructor", value)] if n else [],
        ])
    rows.append([None] * 6)
    # pyarrow counts the nulls of such lists wrongly in pages of version 2, which the reader goes by.
    version = ["1.0", "2.0"][at % 2]
    if version == "2.0":
        del types["structs"]
        rows = [row[:4] + row[5:] for row in rows]
    columns = [pa.array([row[i] for row in rows], t) for i, t in enumerate(types.values())]
    add(
        about, pa.table(columns, names=list(types)),
        [[None if v is None else text(v, plain if i == 0 else t) for i, (v, t) in enumerate(zip(row, types.values()))] for row in rows],
        compression=CODECS[at % len(CODECS)], row_group_size=[1, 2, 100][at % 3],
        data_page_version=version, use_dictionary=at % 5 != 4,
    )

for kind, keys in [(pa.int64(), [2**60, -1]), (pa.date32(), [dt.date(2024, 2, 29)]), (pa.decimal128(5, 2), [D("1.50")])]:
    m = pa.map_(kind, pa.map_(pa.string(), pa.int32()))
    rows = [[[(key, [("k", 1)]) for key in keys]], [[]], [None]]
    add(f"map of {kind}", pa.table([pa.array([r[0] for r in rows], m)], names=["m"]), [[None if r[0] is None else text(r[0], m)] for r in rows])
add("names alike", pa.table([pa.array([1]), pa.array([2]), pa.array([3])], names=["x", "x", "a.b"]), [["1", "2", "3"]])
add("list of one part", pa.table({"l": pa.array([[{"a": 1}], []])}), [['[{"a":1}]'], ["[]"]])

with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/a.parquet"
    duckdb.sql(f"""copy (select 1.5::decimal(4,1) d, interval '14 months 2 days 3.5 seconds' iv, [interval '1 day'] li,
        uuid '12345678-1234-5678-1234-567812345678' u, timestamptz '2024-01-02 03:04:05+05' tz, [time '12:34:56.789'] lt,
        'a'::enum('a','b') e, map{{'k':1,'j':null}} m, '{{"a":1.0,"big":12345678901234567890}}'::json js) to '{path}'
        (format parquet, compression lz4)""")
    files.append(["duckdb", pathlib.Path(path).read_bytes(), ["d", "iv", "li", "u", "tz", "lt", "e", "m", "js"], [[
        "1.5", '"P14M2DT3.5S"', '["P1D"]', '"12345678-1234-5678-1234-567812345678"', '"2024-01-01T22:04:05Z"',
        '["12:34:56.789000"]', '"a"', '{"k":1,"j":null}', '{"a":1.0,"big":12345678901234567890}']]])
    pl.DataFrame({
        "l": pl.Series([[D("1.5000")], None, []], dtype=pl.List(pl.Decimal(38, 4))),
        "t": [[dt.datetime(2024, 1, 2, 3, 4, 5, 6)], [None], []],
        "s": [{"a": dt.time(1, 2, 3), "b": "x"}, {"a": None, "b": None}, None],
    }).write_parquet(path, compression="lz4")
    files.append(["polars", pathlib.Path(path).read_bytes(), ["l", "t", "s"], [
        ["[1.5000]", '["2024-01-02T03:04:05.000006"]', '{"a":"01:02:03","b":"x"}'],
        [None, "[null]", '{"a":null,"b":null}'], ["[]", "[]", None]]])

with (here / "parquet.jsonl").open("w", encoding="utf-8") as to:
    for about, content, fields, rows in files:
        line = {"about": about, "bytes": base64.b64encode(content).decode(), "fields": fields, "rows": rows}
        to.write(json.dumps(line, ensure_ascii=False) + "\n")
print(len(files), "files")
