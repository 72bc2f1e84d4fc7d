/** A fault that the operator can correct. The message alone explains the correction; a stack would hide it. */
export class StartError extends Error {}

/** All faults of the configuration together, so that one start reports every correction. */
export class ConfigError extends StartError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      problems.length === 1
        ? problems[0]
        : `The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}
