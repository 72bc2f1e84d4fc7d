import { importsOf, type Source } from './sources.ts';

/**
 * The cycles among the children of every folder, by the path of the folder. A file is a child of its own folder; a
 * file below a subfolder counts as that subfolder. So two rooms of one floor never need each other, at any height.
 */
export const findFolderCycles = (sources: readonly Source[]): string[] =>
  [...graphsOf(sources)].flatMap(([folder, graph]) =>
    findCycles(graph).map((children) => `${folder}: ${children.join(', ')}`),
  );

type Graph = Map<string, Set<string>>;

/** For each folder, which of its children imports which. */
const graphsOf = (sources: readonly Source[]): Map<string, Graph> => {
  const paths = new Set(sources.map(({ path }) => path));
  const graphs = new Map<string, Graph>();
  for (const source of sources) {
    for (const imported of importsOf(source)) {
      if (!paths.has(imported) || imported === source.path) continue;
      const { folder, from, to } = branch(source.path, imported);
      const graph = graphs.get(folder) ?? new Map();
      graphs.set(folder, graph);
      graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
  }
  return graphs;
};

/** The deepest folder that holds both files, and the child of it that holds each. */
const branch = (importer: string, imported: string) => {
  const [a, b] = [importer.split('/'), imported.split('/')];
  const depth = a.findIndex((name, index) => name !== b[index]);
  return { folder: a.slice(0, depth).join('/'), from: a[depth] ?? '', to: b[depth] ?? '' };
};

/** The strongly connected components of more than one node, each in the order of the alphabet. */
const findCycles = (graph: Graph): string[][] => {
  const reachable = new Map([...graph.keys()].map((node) => [node, reach(graph, node)]));
  const cycles = [...reachable].map(([node, from]) =>
    [...from].filter((other) => reachable.get(other)?.has(node)).toSorted(),
  );
  return [
    ...new Map(cycles.filter(({ length }) => length > 1).map((nodes) => [nodes.join(), nodes])).values(),
  ];
};

const reach = (graph: Graph, start: string): Set<string> => {
  const seen = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (!seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
    }
  }
  return seen;
};
