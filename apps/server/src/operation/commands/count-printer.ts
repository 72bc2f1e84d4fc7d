interface Output {
  isTTY: boolean;
  write(text: string): void;
}

const LINE_EVERY_MS = { terminal: 100, log: 5_000 };

/** Prints how far a command is: over one line on a terminal, and a line now and then into a log. */
export const createCountPrinter = ({ isTTY, write }: Output, now: () => number = () => performance.now()) => {
  let printed = now();
  let hasLine = false;
  return {
    update: (text: string): void => {
      if (now() - printed < (isTTY ? LINE_EVERY_MS.terminal : LINE_EVERY_MS.log)) return;
      printed = now();
      hasLine = true;
      write(isTTY ? `\r${text}  ` : `${text}\n`);
    },
    finish: (): void => {
      if (isTTY && hasLine) write('\n');
    },
  };
};
