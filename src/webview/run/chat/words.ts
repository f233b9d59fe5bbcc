import type { ChatResult, ChatTurn } from '../../../protocol/chat.ts';
import { spellNumber, t } from '../../common/language.ts';
import { announcementOf } from '../words.ts';

const sources: Readonly<Record<ChatResult['source'], () => string>> = {
  hand: () => t('Answered manually'),
  mock: () => t('Answered by a mock'),
  model: () => t('Answered by a model in place of the tool'),
  editor: () => t('Answered by a tool of VS Code'),
  mcp: () => t('Answered by a tool of an MCP server'),
};

/** Who has answered, and whether something of it is left out. */
export function sourceText({ source, cutFrom }: Pick<ChatResult, 'source' | 'cutFrom'>): string {
  const said = sources[source]();
  return cutFrom === undefined
    ? said
    : `${said}. ${t('It had {0} characters and was cut off.', spellNumber(cutFrom))}`;
}

/** What is said of a turn that is over. */
export function turnAnnouncement({ status, calls }: ChatTurn): string | undefined {
  const said = announcementOf(status);
  const [first] = calls;
  if (first === undefined) return said;
  const asks =
    calls.length === 1
      ? t('The model calls {0}.', first.name)
      : t('The model calls {0} tools.', calls.length);
  return said === undefined ? asks : `${said} ${asks}`;
}
