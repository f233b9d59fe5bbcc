/**
 * Clipboards in the shapes that spreadsheets and pages give them: the text beside the page, and the
 * cells that both stand for. None was recorded here; the shapes are those of what the programs are
 * publicly seen to write:
 *
 * - Excel: Microsoft's "HTML Clipboard Format" (StartFragment), and the fixtures of Univer, Frappe and
 *   others for Excel 2013 and later: `mso-` styles, blanks as `mso-spacerun`, line breaks as `<br>` with
 *   `mso-data-placement:same-cell`, texts whose lines end in CRLF and whose cells have quotes only where
 *   they hold a line break, a tab or a quote.
 * - Google Sheets: `<google-sheets-html-origin>` with one `<span data-sheets-root>` for one cell and a
 *   table for more, `data-sheets-value` beside what is shown; Chrome puts its own fragment marks around
 *   it on Windows, and closes the element where other browsers leave it open.
 * - LibreOffice: the table of its HTML filter (sc/source/filter/html/htmlexp.cxx): `sdval` and `sdnum` at
 *   numbers, `<br>` in an empty cell, `<font>` around the text where it has one of its own.
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

const office = (rows: string): string =>
  `<!DOCTYPE html>\n\n<html>\n<head>\n\t<meta http-equiv="content-type" content="text/html; charset=utf-8"/>\n\t<title></title>\n\t<meta name="generator" content="LibreOffice 24.2.7.2 (Linux)"/>\n\t<style type="text/css">\n\t\tbody,div,table,thead,tbody,tfoot,tr,th,td,p { font-family:"Liberation Sans"; font-size:x-small }\n\t\ta.comment-indicator:hover + comment { background:#ffd; position:absolute; display:block; }\n\t\tcomment { display:none;  }\n\t</style>\n</head>\n\n<body>\n<table cellspacing="0" border="0">\n\t<colgroup span="2" width="85"></colgroup>\n${rows}</table>\n</body>\n\n</html>\n`;
const officeRow = (...cells: readonly string[]): string =>
  `\t<tr>\n${cells.map((cell) => `\t\t<td height="17" align="left" valign=bottom>${cell}</td>\n`).join('')}\t</tr>\n`;

export const clipboards: readonly Clipboard[] = [
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
    name: 'LibreOffice, one cell with a line break',
    text: '"line 1\nline 2"\n',
    html: office(officeRow('line 1<br>line 2')),
    cells: [['line 1\nline 2']],
  },
  {
    name: 'LibreOffice, a column of prose',
    text: 'Hello, how are you?\nFine, thanks.\n',
    html: office(officeRow('Hello, how are you?') + officeRow('Fine, thanks.')),
    cells: [['Hello, how are you?'], ['Fine, thanks.']],
  },
  {
    name: 'LibreOffice, a block',
    text: 'a\t1.50\n\t"x\ny"\n',
    html: office(officeRow('a', '1.50') + officeRow('<br>', 'x<br>y')),
    cells: [
      ['a', '1.50'],
      ['', 'x\ny'],
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
    name: 'LibreOffice, numbers, and cells over several columns and rows',
    text: 'Total\t\t12.5\nbold\t1,000.00\t\n',
    html: office(
      '\t<tr>\n\t\t<td colspan=2 height="17" align="left"><b><font color="#FF0000">Total</font></b></td>\n\t\t<td rowspan=2 align="right" sdval="12.5" sdnum="1033;">12.5</td>\n\t</tr>\n' +
        '\t<tr>\n\t\t<td height="17" align="left"><b>bold</b></td>\n\t\t<td align="right" sdval="1000" sdnum="1033;0;#,##0.00">1,000.00</td>\n\t</tr>\n',
    ),
    cells: [
      ['Total', '', '12.5'],
      ['bold', '1,000.00', ''],
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
];
