/**
 * Moves the focus within a page that has it. One that does not would take it from where a person
 * types: a palette closes, and the next keys go nowhere.
 */
export function focusWithin(element: { focus(): void } | null | undefined): void {
  if (document.hasFocus()) element?.focus();
}

/** Within a page that has the keys, when none of its elements has them: they must not go nowhere. */
export function focusIfNowhere(element: { focus(): void }): void {
  if (document.activeElement === document.body) focusWithin(element);
}

/** The same when the page gets the keys back. */
export function keepFocus(
  element: { focus(): void },
  isWanted: () => boolean,
  signal: AbortSignal,
): void {
  window.addEventListener(
    'focus',
    // After a click has put it where it was made.
    () =>
      setTimeout(() => {
        if (isWanted()) focusIfNowhere(element);
      }),
    { signal },
  );
}
