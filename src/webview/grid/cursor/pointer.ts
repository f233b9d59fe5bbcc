import { on } from '../../common/dom.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { Viewport } from '../rows/viewport.ts';
import type { Spot } from './selection.ts';

export interface PointerActions {
  readonly press: (row: number, column: number, event: PointerEvent) => void;
  /** Dragged to a cell with the button down. */
  readonly dragTo: (row: number, column: number) => void;
  readonly open: (row: number, column: number) => void;
}

/** Held still past the edge, the view keeps moving this often. */
const dragEveryMs = 60;
/** Shorter ways with the button down are no drag. */
const leastDrag = 4;

/** The cell under the pointer, also past the edge of what is in view. */
function spotAt({ clientX, clientY }: PointerEvent, viewport: Viewport, model: SheetModel): Spot {
  const box = viewport.element.getBoundingClientRect();
  const y = clientY - box.top - viewport.headHeight + viewport.top;
  const row = Math.max(0, Math.min(model.rowCount - 1, Math.floor(y / viewport.rowHeight)));
  const inView = clientX - box.left;
  const x = inView < model.sticky ? inView : inView + viewport.scrollLeft;
  let column = 0;
  for (const [index, shown] of model.shown.entries()) if (shown.left <= x) column = index;
  return { row, column };
}

/** From the press on, until the button is let go. */
function followDrag(
  element: HTMLElement,
  begin: PointerEvent,
  follow: (event: PointerEvent) => void,
): void {
  const stop = new AbortController();
  const all = { signal: stop.signal };
  let last = begin;
  let isMoved = false;
  const timer = setInterval(() => {
    if (isMoved) follow(last);
  }, dragEveryMs);
  on(
    element,
    'pointermove',
    (event) => {
      last = event;
      const way = Math.abs(event.clientX - begin.clientX) + Math.abs(event.clientY - begin.clientY);
      if (way > leastDrag && !isMoved) {
        // Not before: a captured pointer takes the double click away from its cell.
        element.setPointerCapture(begin.pointerId);
        isMoved = true;
      }
      if (isMoved) follow(last);
    },
    all,
  );
  const end = (): void => {
    clearInterval(timer);
    stop.abort();
  };
  window.addEventListener('pointerup', end, all);
  window.addEventListener('pointercancel', end, all);
}

/** Mouse and pen on the rows: press, drag over cells (also past the edge), double click. */
export function watchPointer(
  viewport: Viewport,
  model: SheetModel,
  actions: PointerActions,
  signal: AbortSignal,
): void {
  const { element, ring } = viewport;
  on(
    ring.element,
    'pointerdown',
    (event) => {
      if (!(event.target instanceof Element)) return;
      const pressed = ring.placeOf(event.target);
      if (pressed === undefined || event.button === 1) return;
      actions.press(pressed.row, pressed.column, event);
      if (event.button !== 0 || event.pointerType === 'touch') return;
      followDrag(element, event, (last) => {
        const { row, column } = spotAt(last, viewport, model);
        actions.dragTo(row, pressed.column === -1 ? -1 : column);
      });
    },
    { signal },
  );
  on(
    ring.element,
    'dblclick',
    ({ target }) => {
      const spot = target instanceof Element ? ring.placeOf(target) : undefined;
      if (spot !== undefined && spot.column >= 0) actions.open(spot.row, spot.column);
    },
    { signal },
  );
}
