import type {
  ChartsEvents,
  ChartsRequests,
  ChartsView,
  ChartTab,
  SheetCharts,
} from '../../protocol/charts.ts';
import { chartTabs } from '../../protocol/charts.ts';
import { el } from '../common/dom.ts';
import { focusIfNowhere, keepFocus } from '../common/focus.ts';
import { openFrame } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { asJudged, asSpread, asView, checkIncoming } from './guards.ts';
import { MetricView } from './metric-view.ts';
import { ReadingBar } from './reading-bar.ts';
import { ScorePage } from './score-view.ts';
import { Tabs } from '../common/tabs.ts';
import { VersionsPage } from './versions-view.ts';
import { metricWords } from './words.ts';

/** Puts the charts of a sheet into the page and connects them. The returned function ends it. */
export function startCharts(opened: Page): () => void {
  const { root, state } = opened;
  const frame = openFrame<ChartsRequests, ChartsEvents>(opened, {
    handlers: {},
    listeners: {
      charts: (charts) => showCharts(charts),
      score: (score) => {
        problems.show('run', null);
        scorePage.show(score);
      },
      versions: (versions) => {
        problems.show('run', null);
        versionsPage.show(versions);
      },
      tab: ({ tab }) => tabs.show(tab),
      problem: ({ where, message }) =>
        problems.show(where === 'charts' ? 'panel' : 'run', { message }, [
          {
            label: t('Try again'),
            run: () => {
              if (where === 'charts') read();
              else ask(where === 'score' ? 'lookAtScore' : 'readVersions');
            },
          },
        ]),
    },
    check: checkIncoming,
  });
  const { channel, problems, signal, fail, open, end } = frame;

  type ChartTask =
    'read' | 'stop' | 'lookAtScore' | 'calculate' | 'cancelCalculation' | 'editScorecard';
  const ask = (name: ChartTask | 'readVersions' | 'stopVersions'): void => {
    channel.request(name, null).catch(fail);
  };
  const read = (): void => {
    problems.show('panel', null);
    ask('read');
  };

  const metrics = {
    latency: new MetricView('latency'),
    price: new MetricView('price'),
    tokens: new MetricView('tokens'),
  };
  const scorePage = new ScorePage({
    calculate: () => ask('calculate'),
    cancel: () => ask('cancelCalculation'),
    edit: () => ask('editScorecard'),
    judged: async (verdict, after) => asJudged(await channel.request('judged', { verdict, after })),
    spread: async () => asSpread(await channel.request('scoreSpread', null)),
    openRow: (rowIndex) => void channel.request('openRow', { rowIndex }).catch(fail),
    onFault: fail,
  });
  const versionsPage = new VersionsPage({
    read: () => ask('readVersions'),
    stop: () => ask('stopVersions'),
  });
  const contents = { ...metrics, score: scorePage, versions: versionsPage };
  const words: Readonly<Record<ChartTab, string>> = {
    ...metricWords,
    ...{ score: t('Score'), versions: t('Versions') },
  };
  let page: ChartsView['page'] | undefined;
  let latest: SheetCharts | undefined;
  const tabs = new Tabs(
    t('Charts'),
    chartTabs.map((tab) => ({ id: tab, label: words[tab], content: contents[tab].element })),
    (id) => {
      const tab = chartTabs.find((one) => one === id) ?? 'latency';
      if (page !== undefined && page.tab !== tab) {
        page = { ...page, tab };
        state.set(page);
        channel.request('showTab', { tab }).catch(fail);
      }
      showTab(tab);
    },
  );

  /** Only what is on screen is drawn. */
  function showTab(tab: ChartTab): void {
    const ofCells = tab !== 'score' && tab !== 'versions';
    reading.element.hidden = !ofCells;
    if (ofCells && latest !== undefined) metrics[tab].show(latest);
    contents[tab].redraw();
  }

  const reading = new ReadingBar({ read, stop: () => ask('stop') });

  function showCharts(charts: SheetCharts): void {
    latest = charts;
    reading.show(charts);
    showTab(tabs.shown as ChartTab);
  }

  const head = el('header', 'head');
  root.replaceChildren(
    el('main', 'view', {}, [head, problems.element, tabs.list, reading.element, ...tabs.panels]),
  );

  // The body tells the theme; a canvas does not follow it by itself.
  const themes = new MutationObserver(() => contents[tabs.shown as ChartTab].redraw());
  themes.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  signal.addEventListener('abort', () => {
    themes.disconnect();
    for (const content of Object.values(contents)) content.close();
  });

  function show(view: ChartsView): void {
    ({ page } = view);
    state.set(page);
    head.replaceChildren(...headParts(t('Charts of {0}', view.sheet), view.connection));
    tabs.show(view.tab);
    focusIfNowhere(tabs);
  }

  keepFocus(tabs, () => page !== undefined, signal);
  open(async () => asView(await channel.request('ready', null)), show);
  return end;
}
