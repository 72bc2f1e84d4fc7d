import type { RegisteredClient } from '@candela/contract';
import { earlyFaultOf } from '@candela/contract/rules/client-uri';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import card from '../../portal/components/card.module.css';
import { boot } from '../../shell/boot.ts';
import { AddressList } from '../address-list.tsx';
import { AsCommand } from '../as-command.tsx';
import { apiPathOf, settingsOf } from '../commands.ts';
import { idOf, RegistrationForm } from '../registration-form.tsx';
import { Section } from '../section.tsx';
import { useClientUpdate } from '../use-client-update.ts';
import { useRegistration } from '../use-registration.ts';
import { isVouchedFor } from '../vouched-for.ts';
import styles from './addresses.module.css';

const lists = ['redirect_uris', 'post_logout_redirect_uris'] as const;
type Lines = Record<(typeof lists)[number], readonly string[]>;

const trimmed = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter(Boolean);

/** The addresses of the client, to which people are sent back. */
export const Addresses = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const prefix = useId();
  const [edited, setEdited] = useState<Partial<Lines>>({});
  const shown: Lines = {
    redirect_uris: edited.redirect_uris ?? client.redirect_uris,
    post_logout_redirect_uris: edited.post_logout_redirect_uris ?? client.post_logout_redirect_uris,
  };
  const type = client.application_type === 'native' ? 'native' : 'web';
  const update = useClientUpdate(client, () =>
    document.getElementById(idOf(prefix, 'redirect_uris.0'))?.focus(),
  );
  const patch = {
    redirect_uris: trimmed(shown.redirect_uris),
    post_logout_redirect_uris: trimmed(shown.post_logout_redirect_uris),
  };
  const fields = lists.flatMap((list) => shown[list].map((_, index) => `${list}.${index}`));
  const form = useRegistration(fields, async () => {
    await update(patch);
    setEdited({});
  });

  if (client.response_types.length === 0) {
    return (
      <Section name="addresses">
        <p>{t('client.addresses.none')}</p>
      </Section>
    );
  }
  return (
    <Section name="addresses" text={t('client.addresses.text')}>
      {client.first_party && <p>{t('client.own', { brand: boot.brand.name })}</p>}
      {isVouchedFor(client) && <p>{t('client.verified', { brand: boot.brand.name })}</p>}
      <div className={`${card.card} ${styles.card}`}>
        <RegistrationForm
          form={form}
          prefix={prefix}
          edited={Object.keys(edited).length > 0}
          locked={client.first_party}
          action={t('settings.save')}
          onSubmit={() => void form.run()}
        >
          {lists.map((list) => (
            <AddressList
              key={list}
              legend={t(list === 'redirect_uris' ? 'client.addresses.redirect' : 'client.addresses.logout')}
              field={list}
              prefix={prefix}
              lines={shown[list]}
              problems={form.problems}
              onChange={(lines) => {
                if (lines.length !== shown[list].length) form.clear();
                setEdited({ ...edited, [list]: lines });
              }}
              onLeave={(index) => {
                const line = shown[list][index]?.trim();
                const fault = line ? earlyFaultOf(line, type) : undefined;
                form.mark(`${list}.${index}`, fault && { code: fault[0] });
              }}
            />
          ))}
        </RegistrationForm>
        <AsCommand
          what={t('client.sections.addresses')}
          words={['update', client.client_id, ...settingsOf(patch)]}
          request={{ method: 'PATCH', path: apiPathOf(client.client_id), body: patch }}
        />
      </div>
    </Section>
  );
};
