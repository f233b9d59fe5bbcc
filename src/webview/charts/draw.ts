import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { el } from '../common/dom.ts';

Chart.register(BarController, BarElement, LineController, LineElement, PointElement);
Chart.register(CategoryScale, LinearScale, Legend, Tooltip);

export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

export interface Picture {
  readonly kind: 'bars' | 'stacked' | 'line';
  /** What a screen reader says of it: the table beside it has the numbers. */
  readonly label: string;
  readonly categories: readonly string[];
  readonly series: readonly Series[];
  readonly spell: (value: number) => string;
}

// Not orange: themes make that one half transparent, and it is lost on a dark ground.
const hues = ['blue', 'yellow', 'green', 'purple', 'red'];
const maxBarThickness = 48;

interface Colours {
  readonly fore: string;
  readonly line: string;
  readonly series: readonly string[];
}

/** The theme's own colours: a canvas knows no variables. */
function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const named = (name: string, other: string): string =>
    style.getPropertyValue(name).trim() || other;
  const fore = named('--vscode-editor-foreground', style.color);
  return {
    fore,
    line: named('--strong-line', 'rgb(128 128 128 / 0.4)'),
    series: hues.map((hue) => named(`--vscode-charts-${hue}`, fore)),
  };
}

/** A picture that follows theme and width. `close` when it is taken away. */
export class Drawing {
  readonly element: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  #chart: Chart | undefined;
  #picture: Picture | undefined;

  constructor() {
    this.#canvas = el('canvas', '', { role: 'img' });
    this.element = el('div', 'picture', {}, [this.#canvas]);
  }

  show(picture: Picture): void {
    this.#picture = picture;
    this.#canvas.setAttribute('aria-label', picture.label);
    this.redraw();
  }

  /** Also when the theme has changed. */
  redraw(): void {
    const picture = this.#picture;
    if (picture === undefined || !this.element.isConnected) return;
    const { kind, categories, series, spell } = picture;
    const { fore, line, series: hueOf } = coloursOf(this.element);
    const isStacked = kind === 'stacked';
    // Between whole numbers, of cells above all, there is nothing to mark.
    const isWhole = series.every(({ values }) =>
      values.every((value) => Number.isInteger(value ?? 0)),
    );
    // Bars of one category stand together however wide the page is.
    const room = this.element.clientWidth / Math.max(1, categories.length);
    const bars = isStacked ? 1 : series.length;
    const categoryPercentage = Math.min(0.8, (bars * maxBarThickness * 1.2) / Math.max(1, room));
    this.#chart?.destroy();
    this.#chart = new Chart(this.#canvas, {
      type: kind === 'line' ? 'line' : 'bar',
      data: {
        labels: [...categories],
        datasets: series.map(({ name, values }, at) => ({
          label: name,
          data: [...values],
          backgroundColor: hueOf[at % hueOf.length] ?? fore,
          borderColor: kind === 'line' ? (hueOf[at % hueOf.length] ?? fore) : fore,
          borderWidth:
            kind === 'line' ? 2 : document.body.className.includes('high-contrast') ? 1 : 0,
          pointRadius: 3,
          maxBarThickness,
          categoryPercentage,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        color: fore,
        scales: {
          x: { stacked: isStacked, ticks: { color: fore }, grid: { display: false } },
          y: {
            stacked: isStacked,
            beginAtZero: true,
            ticks: {
              color: fore,
              callback: (value) => spell(Number(value)),
              ...(isWhole && { precision: 0 }),
            },
            grid: { color: line },
          },
        },
        plugins: {
          legend: { display: series.length > 1, labels: { color: fore, boxWidth: 12 } },
          tooltip: {
            callbacks: {
              label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${spell(parsed.y ?? 0)}`,
            },
          },
        },
      },
    });
  }

  close(): void {
    this.#chart?.destroy();
    this.#chart = undefined;
  }
}
