/** What whoever starts the process can mend; the message alone tells how, a stack would hide it. */
export class StartError extends Error {}

/** Every fault of the configuration at once, so that one start tells all there is to mend. */
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
