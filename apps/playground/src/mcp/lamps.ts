export interface Lamp {
  id: string;
  name: string;
  on: boolean;
}

/** The two lamps of each person, by the subject of the token. They live as long as the process. */
export interface Lamps {
  list(subject: string): readonly Lamp[];
  /** Switches a lamp; undefined where the person has none of that id. */
  turn(subject: string, id: string, on: boolean): Lamp | undefined;
}

const maxPeople = 1000;

const newLamps = (): Lamp[] => [
  { id: 'desk', name: 'Desk lamp', on: false },
  { id: 'hall', name: 'Hall lamp', on: true },
];

/** Keeps the lamps of the people seen last. */
export function createLamps(): Lamps {
  const bySubject = new Map<string, Lamp[]>();

  function lampsOf(subject: string): Lamp[] {
    const lamps = bySubject.get(subject) ?? newLamps();
    bySubject.delete(subject);
    bySubject.set(subject, lamps);
    const [oldest] = bySubject.keys();
    if (bySubject.size > maxPeople && oldest !== undefined) bySubject.delete(oldest);
    return lamps;
  }

  return {
    list: lampsOf,
    turn(subject, id, on) {
      const lamp = lampsOf(subject).find((known) => known.id === id);
      if (lamp) lamp.on = on;
      return lamp;
    },
  };
}
