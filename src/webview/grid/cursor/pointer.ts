import { on } from '../../common/dom.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { Viewport } from '../rows/viewport.ts';

export interface PointerActions {
  readonly press: (row: number, column: number, event: PointerEvent) => void;
  /** Dragged to a cell with the button down. */
  readonly dragTo: (row: number, column: number) => void;
  readonly open: (row: number, column: number) => void;
}

/** Mouse and pen on the rows: press, drag over cells (also past the edge), double click. */
export function watchPointer(
  viewport: Viewport,
  model: SheetModel,
  actions: PointerActions,
  signal: AbortSignal,
): void {
  const { element, ring } = viewport;

  function spotAt({ clientX, clientY }: PointerEvent): { row: number; column: number } {
    const box = element.getBoundingClientRect();
    const y = clientY - box.top - viewport.headHeight + viewport.top;
    const row = Math.max(0, Math.min(model.rowCount - 1, Math.floor(y / viewport.rowHeight)));
    const inView = clientX - box.left;
    const x = inView < model.sticky ? inView : inView + viewport.scrollLeft;
    let column = 0;
    for (const [index, shown] of model.shown.entries()) if (shown.left <= x) column = index;
    return { row, column };
  }

  function drag(begin: PointerEvent, isRows: boolean): void {
    const stop = new AbortController();
    const all = { signal: stop.signal };
    let last = begin;
    const follow = (): void => {
      const { row, column } = spotAt(last);
      actions.dragTo(row, isRows ? -1 : column);
    };
    let isMoved = false;
    // Held still past the edge, the view keeps moving.
    const timer = setInterval(() => {
      if (isMoved) follow();
    }, 60);
    on(
      element,
      'pointermove',
      (event) => {
        last = event;
        const isFar =
          Math.abs(event.clientX - begin.clientX) + Math.abs(event.clientY - begin.clientY) > 4;
        if (isFar && !isMoved) {
          // Not before: a captured pointer takes the double click away from its cell.
          element.setPointerCapture(begin.pointerId);
          isMoved = true;
        }
        if (isMoved) follow();
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

  on(
    ring.element,
    'pointerdown',
    (event) => {
      if (!(event.target instanceof Element)) return;
      const spot = ring.placeOf(event.target);
      if (spot === undefined || event.button === 1) return;
      actions.press(spot.row, spot.column, event);
      if (event.button === 0 && event.pointerType !== 'touch') drag(event, spot.column === -1);
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
