import { DockerfileParser, type Instruction, type ModifiableInstruction } from 'dockerfile-ast';

/** One instruction: `RUN --mount=type=cache,target=/pnpm pnpm install`. */
export interface Step {
  keyword: string;
  /** `mount`: the values of each flag of the name. */
  flags: Readonly<Record<string, readonly string[]>>;
  /** What stands behind the flags, as written. */
  text: string;
  words: readonly string[];
}

export interface Stage {
  name: string;
  /** An earlier stage, or an image of a registry. */
  base: string;
  steps: readonly Step[];
}

const isModifiable = (instruction: Instruction): instruction is ModifiableInstruction =>
  'getFlags' in instruction;

const flagsOf = (instruction: Instruction): Record<string, string[]> => {
  const flags: Record<string, string[]> = {};
  for (const flag of isModifiable(instruction) ? instruction.getFlags() : [])
    flags[flag.getName()] = [...(flags[flag.getName()] ?? []), flag.getValue() ?? ''];
  return flags;
};

const stepOf = (instruction: Instruction): Step => ({
  keyword: instruction.getKeyword(),
  flags: flagsOf(instruction),
  text: instruction.getArgumentsContent() ?? '',
  words: instruction.getArguments().map((argument) => argument.getValue()),
});

/** The stages of a Dockerfile. Arguments before the first stage have their defaults. */
export const readDockerfile = (text: string): Stage[] => {
  const defaults: Record<string, string> = {};
  const stages: (Stage & { steps: Step[] })[] = [];
  for (const step of DockerfileParser.parse(text).getInstructions().map(stepOf)) {
    const [first = '', , name = ''] = step.words;
    if (step.keyword === 'FROM') {
      const base = first.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => defaults[variable] ?? '');
      stages.push({ name, base, steps: [] });
    } else if (stages.length === 0) {
      const [, variable = '', value = ''] = /^(\w+)=(.*)$/.exec(first) ?? [];
      defaults[variable] = value;
    } else stages.at(-1)?.steps.push(step);
  }
  return stages;
};

/** The arguments in the form of JSON that an instruction has, as CMD and the command of HEALTHCHECK do. */
export const argumentsOf = ({ text }: Step): string[] => JSON.parse(text.slice(text.indexOf('[')));

/** The pairs of ENV and LABEL. */
export const pairsOf = ({ text }: Step): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w.-]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [
      name,
      quoted ?? plain,
    ]),
  );

/** Those of `steps` with the keyword. */
export const stepsOf = (keyword: string, steps: readonly Step[]): Step[] =>
  steps.filter((step) => step.keyword === keyword);
