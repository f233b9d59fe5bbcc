import add from '@vscode/codicons/src/icons/add.svg';
import arrowDown from '@vscode/codicons/src/icons/arrow-down.svg';
import arrowUp from '@vscode/codicons/src/icons/arrow-up.svg';
import beaker from '@vscode/codicons/src/icons/beaker.svg';
import check from '@vscode/codicons/src/icons/check.svg';
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import circleLarge from '@vscode/codicons/src/icons/circle-large.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import clearAll from '@vscode/codicons/src/icons/clear-all.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import cloud from '@vscode/codicons/src/icons/cloud.svg';
import code from '@vscode/codicons/src/icons/code.svg';
import combine from '@vscode/codicons/src/icons/combine.svg';
import comment from '@vscode/codicons/src/icons/comment.svg';
import commentDiscussion from '@vscode/codicons/src/icons/comment-discussion.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import database from '@vscode/codicons/src/icons/database.svg';
import debugStop from '@vscode/codicons/src/icons/debug-stop.svg';
import diff from '@vscode/codicons/src/icons/diff.svg';
import diffModified from '@vscode/codicons/src/icons/diff-modified.svg';
import discard from '@vscode/codicons/src/icons/discard.svg';
import edit from '@vscode/codicons/src/icons/edit.svg';
import ellipsis from '@vscode/codicons/src/icons/ellipsis.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import eyeClosed from '@vscode/codicons/src/icons/eye-closed.svg';
import fileText from '@vscode/codicons/src/icons/file-text.svg';
import filter from '@vscode/codicons/src/icons/filter.svg';
import gitBranch from '@vscode/codicons/src/icons/git-branch.svg';
import globe from '@vscode/codicons/src/icons/globe.svg';
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg';
import graph from '@vscode/codicons/src/icons/graph.svg';
import info from '@vscode/codicons/src/icons/info.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import kebabVertical from '@vscode/codicons/src/icons/kebab-vertical.svg';
import layoutSidebarRight from '@vscode/codicons/src/icons/layout-sidebar-right.svg';
import lightbulb from '@vscode/codicons/src/icons/lightbulb.svg';
import listFlat from '@vscode/codicons/src/icons/list-flat.svg';
import listOrdered from '@vscode/codicons/src/icons/list-ordered.svg';
import listTree from '@vscode/codicons/src/icons/list-tree.svg';
import output from '@vscode/codicons/src/icons/output.svg';
import pass from '@vscode/codicons/src/icons/pass.svg';
import person from '@vscode/codicons/src/icons/person.svg';
import pinned from '@vscode/codicons/src/icons/pinned.svg';
import play from '@vscode/codicons/src/icons/play.svg';
import plug from '@vscode/codicons/src/icons/plug.svg';
import redo from '@vscode/codicons/src/icons/redo.svg';
import references from '@vscode/codicons/src/icons/references.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import regex from '@vscode/codicons/src/icons/regex.svg';
import search from '@vscode/codicons/src/icons/search.svg';
import server from '@vscode/codicons/src/icons/server.svg';
import serverEnvironment from '@vscode/codicons/src/icons/server-environment.svg';
import sparkle from '@vscode/codicons/src/icons/sparkle.svg';
import symbolArray from '@vscode/codicons/src/icons/symbol-array.svg';
import symbolBoolean from '@vscode/codicons/src/icons/symbol-boolean.svg';
import symbolEnum from '@vscode/codicons/src/icons/symbol-enum.svg';
import symbolField from '@vscode/codicons/src/icons/symbol-field.svg';
import symbolNumeric from '@vscode/codicons/src/icons/symbol-numeric.svg';
import symbolOperator from '@vscode/codicons/src/icons/symbol-operator.svg';
import symbolString from '@vscode/codicons/src/icons/symbol-string.svg';
import symbolStructure from '@vscode/codicons/src/icons/symbol-structure.svg';
import symbolVariable from '@vscode/codicons/src/icons/symbol-variable.svg';
import sync from '@vscode/codicons/src/icons/sync.svg';
import table from '@vscode/codicons/src/icons/table.svg';
import trash from '@vscode/codicons/src/icons/trash.svg';
import typeHierarchy from '@vscode/codicons/src/icons/type-hierarchy.svg';
import vm from '@vscode/codicons/src/icons/vm.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';

/** The icons that pages draw, by their Codicon names. */
export const drawings = new Map<string, string>([
  ['add', add],
  ['arrow-down', arrowDown],
  ['arrow-up', arrowUp],
  ['beaker', beaker],
  ['check', check],
  ['chevron-down', chevronDown],
  ['chevron-right', chevronRight],
  ['circle-large', circleLarge],
  ['circle-slash', circleSlash],
  ['clear-all', clearAll],
  ['close', close],
  ['cloud', cloud],
  ['code', code],
  ['combine', combine],
  ['comment', comment],
  ['comment-discussion', commentDiscussion],
  ['copy', copy],
  ['database', database],
  ['debug-stop', debugStop],
  ['diff', diff],
  ['diff-modified', diffModified],
  ['discard', discard],
  ['edit', edit],
  ['ellipsis', ellipsis],
  ['error', error],
  ['eye-closed', eyeClosed],
  ['file-text', fileText],
  ['filter', filter],
  ['git-branch', gitBranch],
  ['globe', globe],
  ['go-to-file', goToFile],
  ['graph', graph],
  ['info', info],
  ['json', json],
  ['kebab-vertical', kebabVertical],
  ['layout-sidebar-right', layoutSidebarRight],
  ['lightbulb', lightbulb],
  ['list-flat', listFlat],
  ['list-ordered', listOrdered],
  ['list-tree', listTree],
  ['output', output],
  ['pass', pass],
  ['person', person],
  ['pinned', pinned],
  ['play', play],
  ['plug', plug],
  ['redo', redo],
  ['references', references],
  ['refresh', refresh],
  ['regex', regex],
  ['search', search],
  ['server', server],
  ['server-environment', serverEnvironment],
  ['sparkle', sparkle],
  ['symbol-array', symbolArray],
  ['symbol-boolean', symbolBoolean],
  ['symbol-enum', symbolEnum],
  ['symbol-field', symbolField],
  ['symbol-numeric', symbolNumeric],
  ['symbol-operator', symbolOperator],
  ['symbol-string', symbolString],
  ['symbol-structure', symbolStructure],
  ['symbol-variable', symbolVariable],
  ['sync', sync],
  ['table', table],
  ['trash', trash],
  ['type-hierarchy', typeHierarchy],
  ['vm', vm],
  ['warning', warning],
]);
