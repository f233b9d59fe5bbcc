/** Which action a key stands for. The grid carries actions out; this only reads keys. */

export type MoveKey =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'rowStart'
  | 'rowEnd'
  | 'sheetStart'
  | 'sheetEnd'
  | 'pageUp'
  | 'pageDown';

export type KeyAction =
  | { readonly do: 'move'; readonly to: MoveKey; readonly extend: boolean }
  | { readonly do: 'moveColumn'; readonly step: -1 | 1 }
  | { readonly do: 'widen'; readonly step: -1 | 1 }
  | { readonly do: 'type'; readonly text: string }
  | {
      readonly do:
        | 'selectColumn'
        | 'selectRow'
        | 'selectAll'
        | 'copy'
        | 'edit'
        | 'activate'
        | 'clear'
        | 'leave'
        | 'nextRegion'
        | 'previousRegion'
        | 'menu'
        | 'cut'
        | 'undo'
        | 'redo'
        | 'find'
        | 'fillDown'
        | 'details'
        | 'commit';
    };

export interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
}

const arrows: Readonly<Record<string, MoveKey>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
};
const farArrows: Readonly<Record<string, MoveKey>> = {
  ArrowUp: 'sheetStart',
  ArrowDown: 'sheetEnd',
  ArrowLeft: 'rowStart',
  ArrowRight: 'rowEnd',
  Home: 'sheetStart',
  End: 'sheetEnd',
};

function withControl({ key, shiftKey }: Key): KeyAction | undefined {
  const to = farArrows[key];
  if (to !== undefined) return { do: 'move', to, extend: shiftKey };
  switch (key.toLowerCase()) {
    case ' ':
      return { do: shiftKey ? 'selectAll' : 'selectColumn' };
    case 'a':
      return { do: 'selectAll' };
    case 'c':
      return shiftKey ? undefined : { do: 'copy' };
    case 'x':
      return shiftKey ? undefined : { do: 'cut' };
    case 'insert':
      return { do: 'copy' };
    case 'f':
      return shiftKey ? undefined : { do: 'find' };
    case 'd':
      return shiftKey ? undefined : { do: 'fillDown' };
    case 'z':
      return { do: shiftKey ? 'redo' : 'undo' };
    case 'y':
      return { do: 'redo' };
    case 'i':
      return shiftKey ? undefined : { do: 'details' };
    case 's':
      return { do: 'commit' };
    default:
      return undefined;
  }
}

function withAlt({ key, shiftKey }: Key): KeyAction | undefined {
  if (key === 'ArrowLeft') return { do: shiftKey ? 'widen' : 'moveColumn', step: -1 };
  if (key === 'ArrowRight') return { do: shiftKey ? 'widen' : 'moveColumn', step: 1 };
  if (key === 'ArrowDown') return { do: 'menu' };
  return undefined;
}

export function readKey(pressed: Key): KeyAction | undefined {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = pressed;
  if (pressed.isComposing) return undefined;
  const isControl = ctrlKey || metaKey;
  if (isControl && altKey) return undefined;
  if (isControl) return withControl(pressed);
  if (altKey) return withAlt(pressed);
  const to = arrows[key];
  if (to !== undefined) return { do: 'move', to, extend: shiftKey };
  switch (key) {
    case 'Home':
      return { do: 'move', to: 'rowStart', extend: shiftKey };
    case 'End':
      return { do: 'move', to: 'rowEnd', extend: shiftKey };
    case 'Enter':
      return { do: 'activate' };
    case 'F2':
      return { do: 'edit' };
    case 'F6':
      return { do: shiftKey ? 'previousRegion' : 'nextRegion' };
    case 'F10':
      return shiftKey ? { do: 'menu' } : undefined;
    case 'ContextMenu':
      return { do: 'menu' };
    case 'Escape':
      return { do: 'leave' };
    case 'Delete':
      return { do: shiftKey ? 'cut' : 'clear' };
    case 'Backspace':
      return { do: 'clear' };
    case ' ':
      return shiftKey ? { do: 'selectRow' } : { do: 'activate' };
    default:
      // Names of keys have several letters, what is typed is one character.
      return /^.$/u.test(key) ? { do: 'type', text: key } : undefined;
  }
}
