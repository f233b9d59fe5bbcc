import { ownValue } from '../../../api/own-value.ts';
import type { Mapping } from '../../mapping.ts';
import { PythonObject, refuse } from '../python-text.ts';
import type { Env, Given } from './env.ts';
import { Callable, isOwnList, ownList } from './env.ts';
import { indexOf } from './numbers.ts';
import { Dict, Tuple, View, entriesOf, entryOf, isDict, isEqual } from './values.ts';

type Method<Container> = (env: Env, container: Container, given: Given) => unknown;

const view =
  (kind: View['kind']): Method<Dict | Mapping> =>
  (_env, dict, given) => {
    given.none(kind);
    return new View(kind, dict);
  };

/** A variable is what it is; only what a template made can it change. */
function own(dict: Dict | Mapping, env: Env): Dict {
  if (!(dict instanceof Dict)) return refuse('a change of a variable');
  env.budget.forgetSizes();
  return dict;
}

/** Something that holds itself could not be printed to its end. */
function refuseCycle(container: unknown, value: unknown): void {
  const rest = [value];
  while (rest.length > 0) {
    const inner = rest.pop();
    if (inner === container) refuse('a list or dictionary inside itself');
    if (Array.isArray(inner)) for (const item of inner) rest.push(item);
    else if (inner instanceof PythonObject) for (const item of inner.parts()) rest.push(item);
  }
}

function put(env: Env, dict: Dict, key: unknown, value: unknown): void {
  refuseCycle(dict, value);
  env.budget.charge(value);
  dict.set(key, value);
}

const dictMethods: Readonly<Record<string, Method<Dict | Mapping>>> = {
  items: view('items'),
  keys: view('keys'),
  values: view('values'),
  copy: (_env, dict) => new Dict(entriesOf(dict)),
  get: (_env, dict, { positional, named }) => {
    const [key, fallback = null] = positional;
    if (positional.length === 0 || positional.length > 2 || named.size > 0) return refuse('.get()');
    const entry = entryOf(dict, key);
    if (entry !== undefined) return entry.value;
    return positional.length === 2 ? positional[1] : fallback;
  },
  setdefault: (env, dict, given) => {
    const parameters = given.read('setdefault', ['key', 'default'], 1);
    const key = parameters.get('key');
    const entry = entryOf(dict, key);
    if (entry !== undefined) return entry.value;
    put(env, own(dict, env), key, parameters.get('default', null));
    return parameters.get('default', null);
  },
  update: (env, dict, { positional, named }) => {
    const target = own(dict, env);
    if (positional.length > 1) return refuse('.update() with so many arguments');
    for (const [key, value] of pairsIn(env, positional[0] ?? [])) put(env, target, key, value);
    for (const [key, value] of named) put(env, target, key, value);
    return null;
  },
};

/** What `dict()` and `update()` take: a dictionary, or pairs. */
export function* pairsIn(env: Env, value: unknown): Iterable<readonly [unknown, unknown]> {
  if (isDict(value)) {
    yield* entriesOf(value);
    return;
  }
  for (const pair of env.walk(value)) {
    const [key, item, ...rest] = env.walk(pair);
    if (item === undefined || rest.length > 0)
      refuse("a dictionary of something that isn't a pair");
    yield [key, item];
  }
}

const sequenceMethods: Readonly<Record<string, Method<readonly unknown[]>>> = {
  count: (_env, list, given) => {
    const value = given.read('count', ['value'], 1).get('value');
    return list.filter((item) => isEqual(item, value)).length;
  },
  index: (_env, list, given) => {
    const value = given.read('index', ['value'], 1).get('value');
    const at = list.findIndex((item) => isEqual(item, value));
    return at < 0 ? refuse('index of what is not there') : at;
  },
};

const listMethods: Readonly<Record<string, Method<unknown[]>>> = {
  append: (env, list, given) => {
    const value = given.read('append', ['object'], 1).get('object');
    changed(env, list, [value]);
    list.push(value);
    return null;
  },
  extend: (env, list, given) => {
    const values = Array.from(env.walk(given.read('extend', ['iterable'], 1).get('iterable')));
    changed(env, list, values);
    for (const value of values) list.push(value);
    return null;
  },
  insert: (env, list, given) => {
    const parameters = given.read('insert', ['index', 'object'], 2);
    const value = parameters.get('object');
    changed(env, list, [value]);
    list.splice(parameters.as('index', indexOf), 0, value);
    return null;
  },
  pop: (env, list, given) => {
    const at = given.read('pop', ['index']).as('index', indexOf, -1);
    changed(env, list, []);
    const place = at < 0 ? at + list.length : at;
    if (place < 0 || place >= list.length) return refuse('pop of what is not there');
    return list.splice(place, 1)[0];
  },
  copy: (_env, list) => ownList(Array.from(list)),
};

function changed(env: Env, list: unknown[], values: readonly unknown[]): void {
  if (!isOwnList(list)) refuse('a change of a variable');
  for (const value of values) {
    refuseCycle(list, value);
    env.budget.charge(value);
  }
  env.budget.forgetSizes();
}

function bind<Container>(
  methods: Readonly<Record<string, Method<Container>>>,
  container: Container,
  name: string,
): Callable | undefined {
  const method = ownValue(methods, name);
  return method && new Callable(`.${name}`, (env, given) => method(env, container, given));
}

/** The method of a list, tuple or dictionary; undefined where there is none that is known here. */
export function containerMethod(object: unknown, name: string): Callable | undefined {
  if (isDict(object)) return bind(dictMethods, object, name);
  if (object instanceof Tuple) return bind(sequenceMethods, object.items, name);
  if (!Array.isArray(object)) return undefined;
  const list: unknown[] = object;
  return bind(listMethods, list, name) ?? bind(sequenceMethods, list, name);
}
