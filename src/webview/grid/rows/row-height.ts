/** Rows are as high as the editor's font needs. */
export function rowHeightForFont(): number {
  // VS Code sets its variables on this element. Computed styles would cost a pass over the page.
  const { style } = document.documentElement;
  const size = Number.parseFloat(style.getPropertyValue('--vscode-editor-font-size')) || 13;
  return Math.max(26, Math.round(size * 1.45 + 8));
}

/** Rows follow the font when the user changes it. */
export function followFont(rows: { rowHeight: number }, signal: AbortSignal): void {
  const theme = new MutationObserver(() => {
    rows.rowHeight = rowHeightForFont();
  });
  theme.observe(document.documentElement, { attributeFilter: ['style'] });
  signal.addEventListener('abort', () => theme.disconnect());
}
