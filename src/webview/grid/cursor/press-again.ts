/** A key that was pressed elsewhere acts as if it had been pressed on this element. */
export function pressAgain(pressed: KeyboardEvent, element: HTMLElement): void {
  const { key, code, ctrlKey, metaKey, shiftKey, altKey, isComposing } = pressed;
  // Not bubbling: VS Code has seen the first one already.
  const flags = { bubbles: false, cancelable: true };
  const modifiers = { ctrlKey, metaKey, shiftKey, altKey, isComposing };
  const again = new KeyboardEvent('keydown', { key, code, ...modifiers, ...flags });
  if (!element.dispatchEvent(again)) pressed.preventDefault();
}
