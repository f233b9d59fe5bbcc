import { ChannelError } from '../../../protocol/channel.ts';
import { t, spellNumber } from '../../common/language.ts';
import type { Announcer } from '../../common/announcer.ts';
import type { Banners } from '../around/banners.ts';
import { explain, type Host } from '../connection.ts';
import type { Cursor } from '../cursor/cursor.ts';
import type { Blocks } from '../edit/blocks.ts';
import type { EditFlow } from '../edit/edit-flow.ts';
import type { Bars } from '../find-filter/bars.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import type { PageWindow } from '../rows/window.ts';

/** What actions are carried out with. */
export interface ActionParts {
  readonly host: Host;
  readonly model: SheetModel;
  readonly cursor: Cursor;
  readonly edits: EditFlow;
  readonly blocks: Blocks;
  readonly bars: Bars;
  readonly pages: PageWindow;
  readonly banners: Banners;
  readonly announcer: Announcer;
  readonly signal: AbortSignal;
}

/** What came of a request; undefined when it failed, which is told, or was dismissed. */
export async function attempt<Value>(
  { banners, signal }: Pick<ActionParts, 'banners' | 'signal'>,
  asked: Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    // A question of the extension that was dismissed is no error.
    const isDismissed = error instanceof ChannelError && error.code === 'cancelled';
    if (!signal.aborted && !isDismissed) banners.notify('error', explain(error));
    return undefined;
  }
}

export const spellCells = (number: number): string =>
  number === 1 ? t('1 cell') : t('{0} cells', spellNumber(number));
