/** An option of a command. Without `value` it is a flag. */
export interface Option {
  /** What it does, in a line of help. */
  does: string;
  /** The name of its value, as help shows it: `--brand BRAND`. */
  value?: string;
  /** It may be given several times. */
  repeated?: boolean;
  /** A letter that stands for it, after one dash. */
  short?: string;
  /** The command needs it. */
  required?: boolean;
}

/** Options by name, without their dashes. */
export type Options = Readonly<Record<string, Option>>;

/** The options of every command. */
export const commonOptions: Options = {
  json: { does: 'print the answer as JSON' },
  as: { does: 'who you are, for the record; the user of the system, by default', value: 'NAME' },
  help: { does: 'say what it does, with an example', short: 'h' },
};

/** What a call gave for an option: of a flag whether it was given, else the value or values. */
export type GivenValue = boolean | string | readonly string[] | undefined;

type GivenFor<O extends Option> = O extends { value: string }
  ? O extends { repeated: true }
    ? readonly string[]
    : O extends { required: true }
      ? string
      : string | undefined
  : O extends { does: string; value?: undefined }
    ? boolean
    : GivenValue;

/** What a call gave for each option of its command. */
export type Given<O extends Options> = { readonly [Name in keyof O]: GivenFor<O[Name]> };

/** How the usage shows an option: `[--redirect-uri URI]...`. */
export const showOption = (name: string, { value, repeated, required }: Option): string => {
  const bare = value ? `--${name} ${value}` : `--${name}`;
  return `${required ? bare : `[${bare}]`}${repeated ? '...' : ''}`;
};
