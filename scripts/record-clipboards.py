"""Records what LibreOffice Calc and Gnumeric put on the clipboard, for the tests of pasting.

Wants a Linux machine with libreoffice-calc, python3-uno, gnumeric, xvfb, openbox, xdotool and xclip:
  python3 scripts/record-clipboards.py
Writes test/support/recorded-clipboards.json. Each entry is a range of one sheet: the text, the page, and the cells as a paste should bring them.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time

import uno
from com.sun.star.beans import PropertyValue

target = pathlib.Path(__file__).parent.parent / "test/support/recorded-clipboards.json"
work = pathlib.Path(tempfile.mkdtemp())
os.environ.update(DISPLAY=":99", HOME=str(work), LANG="en_US.UTF-8")
port = 20177
programs = []


def start(*command):
    programs.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))


def clipboard(target):
    command = ["timeout", "10", "xclip", "-o", "-selection", "clipboard", "-t", target]
    return subprocess.run(command, capture_output=True).stdout.decode()


# What is put into the sheet: numbers, formulas (as a tuple) and texts, cell for cell.
block = [
    ["name", "text"],
    ["multi", "line 1\nline 2"],
    ['quo"te', '"quoted"'],
    ["tab\there", "  two  blanks  "],
    ["", "null"],
    [("=1+2",), ('="a" & CHAR(10) & "b"',)],
    [("=DATE(2026;1;2)",), 1234.5],
    [("=1/0",), 0.1],
    ["comma, a", '{"x": 1}'],
    ["<b>x</b> & y", "=no formula"],
    ["nb\u00a0sp", "é 😀 日本"],
    ["007", 1234567890123456],
    ["a\n\nb\n", '"x\ty"'],
]
block_cells = [list(row) for row in block]
block_cells[5] = ["3", "a\nb"]
block_cells[6] = ["01/02/26", "1.234,50"]
block_cells[7] = ["#DIV/0!", "0.1"]
block_cells[11] = ["007", "1234567890123456"]
gnumeric_block = [list(row) for row in block_cells]
gnumeric_block[6][1] = "1,234.50"  # does not know the language of a format
merged = [["Total", "", "12.5"], ["bold", "1,000.00", ""]]
odd = ["\nx", "x\n", " ", "\t", '"', '""', "'x"]
ranges = {
    "a block": ("A1:B13", block_cells, gnumeric_block),
    "one cell with a line break": ("B2", [["line 1\nline 2"]], None),
    "one cell in quotes": ("B3", [['"quoted"']], None),
    "one cell with a tab": ("A4", [["tab\there"]], None),
    "merged cells": ("D1:F2", merged, None),
    "formats": (
        "K1:L3",
        [["2026-01-02 12:00:00", "25%"], ["€ 5.00", "TRUE"], ["02.01.2026", "0.3"]],
        None,
    ),
    "blanks, tabs, line breaks and quotes": ("R1:R7", [[text] for text in odd], None),
    "cells with a note and a link": ("N1:O2", [["noted", "x"], ["a link", "y"]], None),
    "a long text that runs into the next column": (
        "A16:A17",
        [["A long text, that runs over several of the columns beside it"], ["short"]],
        None,
    ),
    "a number in a narrow column": ("Q1:Q2", [["123456789"], ["x"]], None),
}


def fill(document):
    sheet = document.Sheets[0]

    def put(at, value):
        cell = sheet.getCellRangeByName(at)
        if isinstance(value, tuple):
            cell.Formula = value[0]
        elif isinstance(value, (int, float)):
            cell.Value = float(value)
        else:
            cell.String = value
        return cell

    def form(at, code, language="en", country="US"):
        locale = uno.createUnoStruct("com.sun.star.lang.Locale")
        locale.Language, locale.Country = language, country
        formats = document.NumberFormats
        key = formats.queryKey(code, locale, False)
        sheet.getCellRangeByName(at).NumberFormat = (
            key if key != -1 else formats.addNew(code, locale)
        )

    for row, (left, right) in enumerate(block, 1):
        put(f"A{row}", left)
        put(f"B{row}", right)
    form("B7", "#.##0,00", "de", "DE")
    put("D1", "Total")
    sheet.getCellRangeByName("D1:E1").merge(True)
    put("F1", 12.5)
    sheet.getCellRangeByName("F1:F2").merge(True)
    bold = put("D2", "bold")
    bold.CharWeight, bold.CharColor = 150.0, 0xFF0000
    put("E2", 1000)
    form("E2", "#,##0.00")
    put("K1", 46024.5)
    form("K1", "YYYY-MM-DD HH:MM:SS")
    put("L1", 0.25)
    form("L1", "0%")
    put("K2", 5)
    form("K2", "[$€-407] #,##0.00")
    put("L2", ("=TRUE()",))
    put("K3", 46024)
    form("K3", "DD.MM.YYYY", "de", "DE")
    put("L3", 0.1 + 0.2)
    for row, text in enumerate(odd, 1):
        put(f"R{row}", text)
    sheet.Annotations.insertNew(put("N1", "noted").CellAddress, "a note of somebody")
    put("O1", "x")
    link = document.createInstance("com.sun.star.text.TextField.URL")
    link.URL, link.Representation = "http://example.com/", "a link"
    cell = put("N2", "")
    cell.insertTextContent(cell.createTextCursor(), link, False)
    put("O2", "y")
    put("A16", "A long text, that runs over several of the columns beside it")
    put("A17", "short")
    put("Q1", 123456789)
    form("Q1", "0")
    put("Q2", "x")
    sheet.Columns.getByName("Q").Width = 600


def of_libreoffice(file):
    address = f"socket,host=127.0.0.1,port={port};urp;"
    start("soffice", "--norestore", "--nologo", "--nodefault", f"--accept={address}", "--calc")
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local
    )
    for _ in range(60):
        try:
            context = resolver.resolve(f"uno:{address}StarOffice.ComponentContext")
            break
        except Exception:
            time.sleep(1)
    services = context.ServiceManager
    desktop = services.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    dispatcher = services.createInstanceWithContext("com.sun.star.frame.DispatchHelper", context)
    document = desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, ())
    fill(document)
    for name, (at, cells, _) in ranges.items():
        controller = document.CurrentController
        controller.select(document.Sheets[0].getCellRangeByName(at))
        dispatcher.executeDispatch(controller.Frame, ".uno:Copy", "", 0, ())
        time.sleep(0.3)
        yield f"LibreOffice, {name}", clipboard("text/plain;charset=utf-8"), cells
    filter_name = PropertyValue()
    filter_name.Name, filter_name.Value = "FilterName", "calc8"
    document.storeToURL(file.as_uri(), (filter_name,))
    document.close(True)
    desktop.terminate()


def of_gnumeric(file):
    def press(*keys):
        subprocess.run(["xdotool", *keys], check=True)

    start("gnumeric", str(file))
    time.sleep(8)
    for name, (at, cells, own) in ranges.items():
        # The box with the name of the range.
        press("mousemove", "240", "287", "click", "--repeat", "3", "1")
        time.sleep(0.3)
        press("key", "ctrl+a")
        press("type", at)
        press("key", "Return")
        time.sleep(0.5)
        press("key", "ctrl+c")
        time.sleep(0.7)
        yield f"Gnumeric, {name}", clipboard("UTF8_STRING"), own or cells


start("Xvfb", ":99", "-screen", "0", "1280x1024x24")
time.sleep(1)
start("openbox")
sheet_file = work / "sheet.ods"
recorded = []
try:
    for recording in (of_libreoffice, of_gnumeric):
        for name, text, cells in recording(sheet_file):
            recorded.append(
                {"name": name, "text": text, "html": clipboard("text/html"), "cells": cells}
            )
finally:
    for program in programs:
        program.terminate()
target.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n")
