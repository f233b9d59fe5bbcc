import { timeColumn } from '../../../protocol/request-log.ts';
import type { GridActions } from '../actions/grid-actions.ts';
import type { MenuItem } from '../around/menu.ts';
import { t } from '../../common/language.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { emptyLayout, withHidden } from './arrangement.ts';
import { shortTitle } from './run-items.ts';

/** A sheet without a column on screen would have no way back but this menu. */
export const whyNotHidden = ({ shown }: SheetModel): string | undefined =>
  shown.length < 2 ? t("The last column can't be hidden.") : undefined;

const copyItems = ({ copy }: GridActions): readonly MenuItem[] => [
  { label: t('Copy'), icon: 'copy', keys: 'Ctrl+C', run: () => copy('tsv', false) },
  { label: t('Copy with headers'), keys: 'Ctrl+Shift+C', run: () => copy('tsv', true) },
  { label: t('Copy as CSV'), run: () => copy('csv', true) },
  { label: t('Copy as JSON'), run: () => copy('json', true) },
  { label: t('Copy as Markdown'), run: () => copy('markdown', true) },
];

/** What only the rows of a sheet have. */
function sheetItems({ sheet }: SheetModel, actions: GridActions): readonly MenuItem[] {
  const { order, systemColumns } = sheet;
  return [
    { label: t('Fill down'), keys: 'Ctrl+D', isApart: true, run: actions.fillDown },
    { label: t('Set to null'), run: actions.setNull },
    {
      label: t('First rows first'),
      isApart: true,
      isChecked: order === 'asc',
      run: () => actions.sort('asc'),
    },
    {
      label: t('Last rows first'),
      isChecked: order === 'desc',
      run: () => actions.sort('desc'),
    },
    {
      label: t('Cost and latency columns'),
      isChecked: systemColumns,
      isApart: true,
      run: () => actions.showSystemColumns(!systemColumns),
    },
  ];
}

function logItems({ sheet, rowCount }: SheetModel, actions: GridActions): readonly MenuItem[] {
  const { take, sort } = actions;
  const reason = rowCount === 0 ? t('No request is loaded.') : undefined;
  const isByTime = sheet.log?.sortColumn === timeColumn;
  return [
    {
      label: t('Open request'),
      icon: 'go-to-file',
      keys: 'Enter',
      isApart: true,
      reason,
      run: () => take('open'),
    },
    { label: t('Replay request'), icon: 'play', reason, run: () => take('replay') },
    { label: t('Add to sheet'), icon: 'table', reason, run: () => take('import') },
    {
      label: t('Oldest first'),
      isApart: true,
      isChecked: isByTime && sheet.order === 'asc',
      run: () => sort('asc', timeColumn),
    },
    {
      label: t('Newest first'),
      isChecked: isByTime && sheet.order === 'desc',
      run: () => sort('desc', timeColumn),
    },
  ];
}

/** Which columns are on screen. */
function shownItems(model: SheetModel, { setLayout }: GridActions): readonly MenuItem[] {
  const { layout, sheet } = model;
  const hidden = new Set(layout.hidden);
  return sheet.columns.map(({ id, title }, index) => ({
    label: shortTitle(title),
    isChecked: !hidden.has(id),
    isApart: index === 0,
    reason: hidden.has(id) ? undefined : whyNotHidden(model),
    run: () => setLayout(withHidden(layout, id, !hidden.has(id))),
  }));
}

/** What the button at the end of the toolbar offers. */
export const moreItems = (model: SheetModel, actions: GridActions): readonly MenuItem[] => [
  ...copyItems(actions),
  ...(model.sheet.log === undefined ? sheetItems(model, actions) : logItems(model, actions)),
  {
    label: t('Cell details'),
    keys: 'Ctrl+I',
    isChecked: model.view.details.isOpen,
    run: actions.toggleDetails,
  },
  ...shownItems(model, actions),
  { label: t('Reset columns'), isApart: true, run: () => actions.setLayout(emptyLayout) },
  { label: t('Reload'), icon: 'refresh', run: actions.reload },
];
