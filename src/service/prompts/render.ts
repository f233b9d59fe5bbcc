import { argumentsFor as makeArguments } from '../../core/kwargs/arguments-for.ts';
import { RenderError } from '../../core/templates/render-error.ts';
import { renderTemplate as fillIn } from '../../core/templates/render-template.ts';
import { unprocessable } from '../http/problem.ts';

/** What can't be filled in is a fault of the request: a 422 that says which text and why. */
const faulting =
  <Given extends readonly unknown[], Result>(render: (...given: Given) => Result) =>
  (...given: Given): Result => {
    try {
      return render(...given);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      throw unprocessable(['body', ...error.place], error.message, error.kind);
    }
  };

export const renderTemplate = faulting(fillIn);
export const argumentsFor = faulting(makeArguments);
