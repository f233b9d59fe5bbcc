import type { ErrorReason } from '../errors.ts';
import { TemplateError } from '../errors.ts';

/** Where in a template, from its top. */
export type Place = readonly (string | number)[];

/** What a template can't be filled in with: a value that does not fit, or a text that needs Jinja2. */
export class RenderError extends TemplateError {
  readonly place: Place;
  /** For programs; of a text, that it can't be rendered here. */
  readonly kind: 'value_error' | 'template_not_renderable';

  constructor(place: Place, reason: ErrorReason, kind: RenderError['kind'] = 'value_error') {
    super(reason);
    this.place = place;
    this.kind = kind;
  }
}
