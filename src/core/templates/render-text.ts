import type { Mapping } from '../mapping.ts';
import type { Budget } from './budget.ts';
import type { Render } from './f-string.ts';
import { compileFString } from './f-string.ts';
import { compileJinja } from './jinja.ts';
import { NotFaithful } from './python-text.ts';
import type { Place } from './render-error.ts';
import { RenderError } from './render-error.ts';

/** The text of a template with these variables, or a 422 that says which text and why. */
export function renderText(
  source: string,
  format: unknown,
  variables: Mapping,
  place: Place,
  budget?: Budget,
): string {
  try {
    const render: Render | undefined =
      format === 'jinja2' ? compileJinja(source) : compileFString(source);
    return render === undefined ? source : render(variables, budget);
  } catch (error) {
    if (!(error instanceof NotFaithful) && !(error instanceof RangeError)) throw error;
    throw new RenderError(
      place,
      {
        kind: format === 'jinja2' ? 'not-as-jinja' : 'not-as-python',
        construct: error.message,
        text: source.slice(0, 80),
      },
      'template_not_renderable',
    );
  }
}
