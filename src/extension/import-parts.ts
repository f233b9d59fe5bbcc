/** What imports of files need: a file of its own beside the extension's, loaded with the first one. */
export { canBeImported, importEndings } from '../core/imports/formats.ts';
export { importAtOnce, openImport } from './import/panel.ts';
export { readFileRows } from './import/read-rows.ts';
export {
  type PickedFile,
  clipboardFile,
  fileAt,
  keptFile,
  titleOfFile,
} from './import/picked-file.ts';
