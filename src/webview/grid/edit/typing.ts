/**
 * Keys that edit a text. In a field of a bar they are the field's: VS Code must not take them for the
 * rows, while the palette and what else moves about stays within reach.
 */
export function isTextKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return /^([acdgivxyz]|Enter|Backspace)$/i.test(key);
  return altKey && key === 'Enter';
}

const onMac = /mac/i.test(navigator.platform);
const moves = /^(?:Arrow|Home$|End$|Backspace$|Delete$|Insert$)/;
const plain = /^(?:Page|Enter$|Tab$|Escape$)/;

/**
 * Keys that any text field answers itself while a text is typed. Whatever else is pressed is for VS
 * Code: its palette, its panels and its shortcuts are in reach.
 */
export function isFieldKey(pressed: KeyboardEvent, isMac = onMac): boolean {
  const { key, ctrlKey, metaKey, altKey } = pressed;
  // Signs that are typed with two modifiers.
  if (pressed.getModifierState('AltGraph')) return true;
  const isPlain = !ctrlKey && !metaKey && !altKey;
  if (isPlain) return key.length === 1 || moves.test(key) || plain.test(key);
  // On a Mac, Option makes letters, and moves by words.
  if (altKey && !ctrlKey && !metaKey) return isMac && (key.length === 1 || moves.test(key));
  if (altKey) return false;
  if (isMac && ctrlKey) return /^[abdefhknopt]$/i.test(key) || moves.test(key);
  return /^[acvxyz]$/i.test(key) || moves.test(key);
}
