import { readFileSync } from 'node:fs';
import * as z from 'zod';

/**
 * Clipboards of spreadsheets and pages: the text beside the page, and the cells that both stand for.
 * Those of LibreOffice and Gnumeric were recorded (`scripts/record-clipboards.py`); the others have the
 * shapes that the programs are publicly seen to write:
 *
 * - Excel: Microsoft's "HTML Clipboard Format" (StartFragment), and the fixtures of Univer, Frappe and
 *   others for Excel 2013 and later: `mso-` styles, blanks as `mso-spacerun`, line breaks as `<br>` with
 *   `mso-data-placement:same-cell`, texts whose lines end in CRLF and whose cells have quotes only where
 *   they hold a line break, a tab or a quote.
 * - Google Sheets: `<google-sheets-html-origin>` with one `<span data-sheets-root>` for one cell and a
 *   table for more, `data-sheets-value` beside what is shown; Chrome puts its own fragment marks around
 *   it on Windows, and closes the element where other browsers leave it open.
 */
export interface Clipboard {
  readonly name: string;
  readonly text: string;
  readonly html: string;
  readonly cells: readonly (readonly (string | null)[])[];
}

const excel = (rows: string): string =>
  `<html xmlns:v="urn:schemas-microsoft-com:vml"\r\nxmlns:o="urn:schemas-microsoft-com:office:office"\r\nxmlns:x="urn:schemas-microsoft-com:office:excel"\r\nxmlns="http://www.w3.org/TR/REC-html40">\r\n\r\n<head>\r\n<meta http-equiv=Content-Type content="text/html; charset=utf-8">\r\n<meta name=ProgId content=Excel.Sheet>\r\n<meta name=Generator content="Microsoft Excel 15">\r\n<link rel=File-List href="file:///C:/Temp/clip_filelist.xml">\r\n<style>\r\n<!--table\r\n\t{mso-displayed-decimal-separator:"\\.";\r\n\tmso-displayed-thousand-separator:"\\,";}\r\ntr\r\n\t{mso-height-source:auto;}\r\nbr\r\n\t{mso-data-placement:same-cell;}\r\n-->\r\n</style>\r\n</head>\r\n\r\n<body link="#0563C1" vlink="#954F72">\r\n\r\n<table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:\r\n collapse;width:96pt'>\r\n<!--StartFragment-->\r\n <col width=64 span=2 style='width:48pt'>\r\n${rows}<!--EndFragment-->\r\n</table>\r\n\r\n</body>\r\n\r\n</html>\r\n`;
const excelRow = (...cells: readonly string[]): string =>
  ` <tr height=20 style='height:15.0pt'>\r\n${cells.map((cell) => `  <td height=20 class=xl65 width=64 style='height:15.0pt;width:48pt'>${cell}</td>\r\n`).join('')} </tr>\r\n`;

const sheets = (inner: string): string =>
  `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style>${inner}`;
const sheetsTable = (rows: string): string =>
  sheets(
    `<table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" style="table-layout:fixed;font-size:10pt;font-family:Arial;width:0px;border-collapse:collapse;border:none" data-sheets-root="1" data-sheets-baot="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody>${rows}</tbody></table>`,
  );
const sheetsCell = (html: string): string =>
  `<td style="overflow:hidden;padding:2px 3px 2px 3px;vertical-align:bottom;">${html}</td>`;

const recorded = z
  .array(
    z.strictObject({
      name: z.string(),
      text: z.string(),
      html: z.string(),
      cells: z.array(z.array(z.string())),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('./recorded-clipboards.json', import.meta.url), 'utf8')));

export const clipboards: readonly Clipboard[] = [
  ...recorded,
  {
    name: 'Excel, one cell',
    text: 'hello\r\n',
    html: excel(excelRow('hello')),
    cells: [['hello']],
  },
  {
    name: 'Excel, one cell with a line break and commas',
    text: '"line 1, more\nline ""2"""\r\n',
    html: excel(excelRow('line 1, more<br>\r\n    line &quot;2&quot;')),
    cells: [['line 1, more\nline "2"']],
  },
  {
    name: 'Excel, one cell whose text is in quotes',
    text: '"quoted"\r\n',
    html: excel(excelRow('&quot;quoted&quot;')),
    cells: [['"quoted"']],
  },
  {
    name: 'Excel, a block',
    text: 'name\ttext\r\nAnn\t"a\nb"\r\n\tnull\r\nx  y\t1,5\r\n',
    html: excel(
      excelRow('name', 'text') +
        excelRow('Ann', 'a<br>\r\n    b') +
        excelRow('', 'null') +
        excelRow('x<span style="mso-spacerun:yes">  </span>y', '1,5'),
    ),
    cells: [
      ['name', 'text'],
      ['Ann', 'a\nb'],
      ['', 'null'],
      ['x  y', '1,5'],
    ],
  },
  {
    name: 'Google Sheets, one cell',
    text: 'hello, you',
    html: sheets(
      `<span data-sheets-root="1" data-sheets-value="{&quot;1&quot;:2,&quot;2&quot;:&quot;hello, you&quot;}" style="font-size:10pt;font-family:Arial;">hello, you</span>`,
    ),
    cells: [['hello, you']],
  },
  {
    name: 'Google Sheets, one cell with a line break',
    text: '"line 1\nline 2"',
    html: sheets(
      `<span data-sheets-root="1" style="font-size:10pt;font-family:Arial;">line 1<br/>line 2</span>`,
    ),
    cells: [['line 1\nline 2']],
  },
  {
    name: 'Google Sheets, a block with a merged cell',
    text: 'a\t\n{"x": 1}\t"line 1\nline 2"',
    html: sheetsTable(
      `<tr style="height:21px;"><td rowspan="1" colspan="2">a</td></tr><tr style="height:21px;">${sheetsCell('{&quot;x&quot;: 1}')}${sheetsCell('line 1<br/>line 2')}</tr>`,
    ),
    cells: [
      ['a', ''],
      ['{"x": 1}', 'line 1\nline 2'],
    ],
  },
  {
    name: 'Google Sheets, numbers, through Chrome on Windows',
    text: '1.5\tOslo\n5.51198E+12\t',
    html: `<html>\r\n<body>\r\n<!--StartFragment--><google-sheets-html-origin style="color: rgb(0, 0, 0); font-size: medium;"><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" data-sheets-root="1"><colgroup><col width="100"><col width="100"></colgroup><tbody><tr style="height: 21px;"><td style="text-align:right;" data-sheets-value="{&quot;1&quot;:3,&quot;3&quot;:1.5}">1.5</td><td data-sheets-value="{&quot;1&quot;:2,&quot;2&quot;:&quot;Oslo&quot;}">Oslo</td></tr><tr><td data-sheets-value="{&quot;1&quot;:3,&quot;3&quot;:5511981918127}" data-sheets-numberformat="{&quot;1&quot;:6}">5.51198E+12</td><td></td></tr></tbody></table></google-sheets-html-origin><!--EndFragment-->\r\n</body>\r\n</html>`,
    cells: [
      ['1.5', 'Oslo'],
      ['5.51198E+12', ''],
    ],
  },
  {
    name: 'a table of a page, whose text does not say where cells end',
    text: 'City\nPeople\n\nOslo, Norway\n1',
    html: '<meta charset="utf-8"><table><thead><tr><th><p>City</p></th><th>People</th></tr></thead><tbody><tr><td>Oslo,\n   Norway</td><td>1</td></tr></tbody></table>',
    cells: [
      ['City', 'People'],
      ['Oslo, Norway', '1'],
    ],
  },
  {
    name: 'a mail that is laid out in a table',
    text: 'Dear Ann,\n\nI am fine,\nbye',
    html: '<table><tr><td><p>Dear Ann,</p><p>I am fine,<br>bye</p></td></tr></table>',
    cells: [['Dear Ann,\n\nI am fine,\nbye']],
  },
  {
    name: 'Excel for the web, with a cell of several paragraphs',
    text: 'a\t"line 1\nline 2"\r\n  b\t',
    html: '<html>\r\n<body>\r\n<!--StartFragment--><div ccp_infra_version="3" ccp_infra_timestamp="1687871836672" data-ccp-timestamp="1687871836672"><html><head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Excel.Sheet><meta name=Generator content="Microsoft Excel 15"><style>table\r\n\t{mso-displayed-decimal-separator:"\\.";}</style></head><body link="#0563C1"><table width=128 style="border-collapse:collapse;width:96pt"><!--StartFragment--><col width=64 style="width:48pt" span=2><tr height=20><td width=64 height=20>a</td><td>line 1<br>\r\n    line 2</td></tr><tr height=20><td height=20><span style="mso-spacerun:yes">&nbsp; </span>b</td><td></td></tr><!--EndFragment--></table></body></html></div><!--EndFragment-->\r\n</body>\r\n</html>',
    cells: [
      ['a', 'line 1\nline 2'],
      ['  b', ''],
    ],
  },
  {
    name: 'a table of Word, whose text has lost the line breaks',
    text: 'Name\tSays\r\nAnn\tone two\r\n',
    html: '<html xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"></head><body><!--StartFragment--><table class=MsoTableGrid border=1><tr><td width=64 valign=top><p class=MsoNormal>Name<o:p></o:p></p></td><td><p class=MsoNormal>Says<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal>Ann<o:p></o:p></p></td><td><p class=MsoNormal>one<o:p></o:p></p>\r\n  <p class=MsoNormal>two<o:p></o:p></p></td></tr></table><!--EndFragment--></body></html>',
    cells: [
      ['Name', 'Says'],
      ['Ann', 'one\ntwo'],
    ],
  },
];
