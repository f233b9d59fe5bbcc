import { cutText } from '../../core/shortened.ts';

const longestSheet = 40;
const longestTable = 30;

const short = (title: string, longest: number): string =>
  title.length <= longest ? title : `${cutText(title, longest - 1).trimEnd()}…`;

/** What the tab of a sheet says: a long name must not fill the bar of tabs. */
export const tabTitle = (title: string, tableTitle = ''): string => {
  const sheet = short(title, longestSheet);
  return tableTitle === '' ? sheet : `${sheet} — ${short(tableTitle, longestTable)}`;
};
