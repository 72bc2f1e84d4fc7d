import type { InteractionDetails } from '@candela/contract';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { fetchInteraction, knownInteraction } from '../../../shell/api/interaction-details.ts';
import { suggestLocale } from '../../../shell/language/i18n.ts';

/** The authorization request from which the person came to the recovery. */
export interface Background {
  uid: string;
  details: InteractionDetails | undefined;
}

/** Fetches the request behind the recovery. A request that is over has no details and does not stop the recovery. */
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
