/**
 * Puts `next` in the place of `last`, the last children of `parent`, and gives what stands there
 * then. What stays the same is not touched, and text that has grown is added to: a selection in it
 * stays, and less has to be laid out.
 */
export function updateNodes(
  parent: Element,
  last: readonly Node[],
  next: readonly Node[],
): readonly Node[] {
  const shown = next.map((node, at) => {
    const before = last[at];
    if (before === undefined) {
      parent.append(node);
      return node;
    }
    if (isUpdated(before, node)) return before;
    parent.replaceChild(node, before);
    return node;
  });
  for (const node of last.slice(next.length)) parent.removeChild(node);
  return shown;
}

/** Whether the node is as the other one now. */
function isUpdated(node: Node, other: Node): boolean {
  if (node instanceof Text && other instanceof Text) {
    const { data } = other;
    if (data.startsWith(node.data)) node.appendData(data.slice(node.data.length));
    else node.data = data;
    return true;
  }
  if (!(node instanceof Element) || !(other instanceof Element)) return false;
  if (!node.cloneNode().isEqualNode(other.cloneNode())) return false;
  updateNodes(node, [...node.childNodes], [...other.childNodes]);
  return true;
}
