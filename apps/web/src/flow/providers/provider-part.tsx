import type { ComponentProps } from 'react';
import { ArrivalLead } from './arrival-lead.tsx';
import { ProviderList } from './provider-list.tsx';
import { ReturnNotice } from './return-notice.tsx';

export type ProviderPartProps =
  | ({ part: 'list' } & ComponentProps<typeof ProviderList>)
  | ({ part: 'notice' } & ComponentProps<typeof ReturnNotice>)
  | ({ part: 'lead' } & ComponentProps<typeof ArrivalLead>);

/** What the form of a sign-in shows of providers, in one chunk. */
export const ProviderPart = (props: ProviderPartProps) => {
  switch (props.part) {
    case 'list':
      return <ProviderList {...props} />;
    case 'notice':
      return <ReturnNotice {...props} />;
    case 'lead':
      return <ArrivalLead {...props} />;
  }
};
