/** The way to the documentation. */
export const documentation = {
  title: 'Documentation',
  english: 'The documentation is in English.',
  presets: 'Which kind is mine?',
  error: 'What this error means',
};
