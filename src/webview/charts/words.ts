import { dateText } from '../../protocol/amounts.ts';
import type { MetricName } from '../../protocol/charts.ts';
import { language, spellPrice, spellDuration, t } from '../common/language.ts';

/** What is not known is not nothing. */
export const unknown = '–';

const short = (value: number): string =>
  value.toLocaleString(language, { maximumFractionDigits: value < 10 ? 1 : 0 });

export function spell(metric: MetricName, value: number | null): string {
  if (value === null) return unknown;
  if (metric === 'latency') return spellDuration(value);
  return metric === 'price' ? spellPrice(value) : short(value);
}

export const spellScore = (value: number | null): string =>
  value === null ? unknown : value.toLocaleString(language, { maximumFractionDigits: 3 });

export const spellDrift = (value: number | null): string => {
  if (value === null) return unknown;
  const text = spellScore(Math.abs(value));
  return text === '0' ? t('same') : `${value > 0 ? '+' : '−'}${text}`;
};

export const spellDate = (iso: string, timeStyle: 'short' | 'medium' = 'short'): string =>
  dateText(language, iso, timeStyle);

/** To the second where the minute does not tell one from the next. */
export function spellDates(isos: readonly string[]): readonly string[] {
  const texts = isos.map((iso) => spellDate(iso));
  const isReported = texts.every((text, at) => text !== texts[at + 1]);
  return isReported ? texts : isos.map((iso) => spellDate(iso, 'medium'));
}

export const metricWords: Readonly<Record<MetricName, string>> = {
  latency: t('Latency'),
  price: t('Cost'),
  tokens: t('Tokens'),
};

/** Within a sentence. */
export const metricWithin: Readonly<Record<MetricName, string>> = {
  latency: t('latency'),
  price: t('cost'),
  tokens: t('tokens'),
};

/** "cells have a …" */
export const metricThing: Readonly<Record<MetricName, string>> = {
  latency: t('a latency'),
  price: t('a cost'),
  tokens: t('tokens'),
};
