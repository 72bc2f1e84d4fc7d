/** Loaded before a process (`--import`): its wall clock is off by CLOCK_SHIFT_SECONDS. */
const byMs = Number(process.env.CLOCK_SHIFT_SECONDS ?? 0) * 1000;

globalThis.Date = new Proxy(Date, {
  construct: (date, args: [], asked) =>
    Reflect.construct(date, args.length > 0 ? args : [date.now() + byMs], asked),
  apply: (date) => new date(date.now() + byMs).toString(),
  get: (date, name) => (name === 'now' ? () => date.now() + byMs : Reflect.get(date, name)),
});
