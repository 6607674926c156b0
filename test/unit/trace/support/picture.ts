import type { CallNode, TraceTree } from '../../../../trace/fold/tree.ts';

/**
 * All that trees say, as plain data: the calls of each trace with the calls below them, without what is the same for most
 * (a root or a named call that is open, of depth 0, and so on).
 */
export function picture(trees: readonly TraceTree[]): unknown {
  return trees.map(({ trace, roots, size }) => ({ trace, size, roots: roots.map(pictureOf) }));
}

function pictureOf(node: CallNode): unknown {
  return { ...pictureOne(node), children: node.children.map(pictureOf) };
}

/** A call alone. */
export function pictureOne(node: CallNode): object {
  const { call, status, duration, code, message, usage, notes, attributes, heads, wire, traffic } = node;
  const { names, parent, parentage, isView, depth, cycle } = node;
  const { bytesOut, bytesIn, bytesStderr, piecesIn, firstInAt, lastAt, ticks } = traffic;
  return {
    call,
    ...(status === 'open' ? {} : { status, duration }),
    ...pick({ code, message, usage, firstInAt, cycle }),
    ...(notes.length > 0 ? { notes } : {}),
    ...(attributes.length > 0 ? { attributes } : {}),
    ...(heads.length > 0 ? { heads } : {}),
    ...(wire.length > 0 ? { wire } : {}),
    traffic: [bytesOut, bytesIn, bytesStderr, piecesIn, lastAt, ...ticks],
    names,
    parent: parent?.call.call,
    parentage,
    depth,
    ...(isView ? { isView } : {}),
  };
}

function pick(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/**
 * The shape alone, in one line: `t: a(b(c),~d)`. `~` is a call whose caller is inferred, `=` one that is its caller seen
 * from another side, `^2` a depth other than the place says, `<a>b>a>` a cycle, `<?a>b>a>` one over an inferred caller; notes stand in braces.
 */
export function outline(trees: readonly TraceTree[]): string {
  return trees
    .map(({ trace, roots }) => `${trace}: ${roots.map(root => lineOf(root, 0)).join(' ')}`)
    .join(' | ');
}

function lineOf(node: CallNode, place: number): string {
  const { call, notes, children, parentage, isView, depth, cycle } = node;
  const below = children.map(child => lineOf(child, depth + (child.isView || child.call.back ? 0 : 1)));
  return [
    parentage === 'inferred' ? '~' : '',
    isView ? '=' : '',
    call.call,
    depth === place ? '' : `^${depth}`,
    cycle ? `<${node.isCycleInferred ? '?' : ''}${cycle.join('>')}>` : '',
    ...notes.map(note => `{${note}}`),
    below.length > 0 ? `(${below.join(',')})` : '',
  ].join('');
}
