/** The parts of the view that F6 goes around, in order. */
export interface Region {
  readonly element: HTMLElement;
  readonly focus: () => void;
}

/** True when the key took the focus to another part; past the last, VS Code's own parts come. */
export function goToNextRegion(regions: readonly Region[], step: -1 | 1): boolean {
  const at = regions.findIndex(({ element }) => element.contains(document.activeElement));
  const next = regions[at + step];
  next?.focus();
  return next !== undefined;
}
