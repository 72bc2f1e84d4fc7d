import type { InteractionDetails } from '@candela/contract';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { fetchInteraction, knownInteraction } from '../../api/interaction-details.ts';
import { suggestLocale } from '../../i18n/i18n.ts';

/** The authorization request in which a person found the password forgotten, if there is one. */
export interface Background {
  uid: string;
  details: InteractionDetails | undefined;
}

/** The request waits behind the recovery and never stands in its way: one that is over names nobody. */
export const useBackground = (): Background => {
  const [search] = useSearchParams();
  const uid = search.get('interaction') ?? '';
  const [details, setDetails] = useState(() => knownInteraction(uid));
  useEffect(() => {
    if (!uid) return;
    const show = async () => {
      const fetched = await fetchInteraction(uid);
      await suggestLocale(fetched.locale).catch(() => undefined);
      setDetails(fetched);
    };
    show().catch(() => undefined);
  }, [uid]);
  return { uid, details };
};
