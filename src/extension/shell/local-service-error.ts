import { ServerError } from '../../core/errors.ts';

/** The local service could not be started: what helps lies in its folder. */
export class LocalServiceError extends ServerError {}
