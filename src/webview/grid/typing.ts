/**
 * Keys that edit a text. In a field of a bar they are the field's: VS Code must not take them for the
 * rows, while the palette and what else moves about stays within reach.
 */
export function isTextKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return /^([acdgivxyz]|Enter|Backspace)$/i.test(key);
  return altKey && key === 'Enter';
}
