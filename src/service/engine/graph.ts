/** A column as the graph sees it. Edges to columns that are not given are ignored. */
export interface GraphNode {
  readonly id: string;
  readonly dependencies: readonly { readonly column_id: string }[];
}

/** Ids of a cycle in order, the first one repeated at the end; undefined when there is none. */
export function findCycle(nodes: readonly GraphNode[]): string[] | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const done = new Set<string>();
  for (const start of nodes) {
    const path: string[] = [];
    const onPath = new Set<string>();
    const stack: { id: string; next: number }[] = [];
    const enter = (id: string): void => {
      stack.push({ id, next: 0 });
      path.push(id);
      onPath.add(id);
    };
    if (!done.has(start.id)) enter(start.id);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = byId.get(top.id)?.dependencies[top.next];
      top.next += 1;
      if (!edge) {
        stack.pop();
        path.pop();
        onPath.delete(top.id);
        done.add(top.id);
      } else if (onPath.has(edge.column_id)) {
        return [...path.slice(path.indexOf(edge.column_id)), edge.column_id];
      } else if (byId.has(edge.column_id) && !done.has(edge.column_id)) {
        enter(edge.column_id);
      }
    }
  }
  return undefined;
}

/** Every node after the nodes that it depends on; nodes of a cycle come last, in their own order. */
export function topologicalOrder<Node extends GraphNode>(nodes: readonly Node[]): Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const waitsFor = new Map<string, number>();
  const users = usersById(nodes);
  for (const { id, dependencies } of nodes) {
    const known = new Set(
      dependencies.map(({ column_id }) => column_id).filter((key) => byId.has(key)),
    );
    waitsFor.set(id, known.size);
  }
  const ready = nodes.filter(({ id }) => waitsFor.get(id) === 0);
  const ordered: Node[] = [];
  for (let node = ready.shift(); node; node = ready.shift()) {
    ordered.push(node);
    for (const user of users.get(node.id) ?? []) {
      const left = (waitsFor.get(user) ?? 0) - 1;
      waitsFor.set(user, left);
      const freed = left === 0 ? byId.get(user) : undefined;
      if (freed) ready.push(freed);
    }
  }
  const placed = new Set(ordered.map(({ id }) => id));
  return [...ordered, ...nodes.filter(({ id }) => !placed.has(id))];
}

/** All that depend on the given ones, directly or through others; without the given ones, unless in a cycle. */
export function dependentsOf(nodes: readonly GraphNode[], ids: Iterable<string>): Set<string> {
  const users = usersById(nodes);
  const found = new Set<string>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const user of users.get(id) ?? []) {
      if (found.has(user)) continue;
      found.add(user);
      open.push(user);
    }
  }
  return found;
}

function usersById(nodes: readonly GraphNode[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  for (const { id, dependencies } of nodes) {
    for (const { column_id } of dependencies) {
      const known = users.get(column_id);
      if (known) known.add(id);
      else users.set(column_id, new Set([id]));
    }
  }
  return users;
}
