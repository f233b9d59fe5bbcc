export { productVersion as serviceVersion } from '../core/version.ts';
