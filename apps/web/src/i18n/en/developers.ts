import { client } from './client.ts';
import { clientErrors } from './client-errors.ts';
import { documentation } from './documentation.ts';
import { linkCheck } from './link-check.ts';
import { overview } from './overview.ts';
import { signals } from './signals.ts';
import { trial } from './trial.ts';
import { trouble } from './trouble.ts';
import { snippets, usage } from './usage.ts';

export const developers = {
  developers: {
    title: 'Developers',
    text: 'Apps that you register with {{brand}}.',
    register: 'Register an app',
    noToken: 'No token yet',
    lastToken: 'Last token {{when}}',
    errorsToday_one: '{{count}} error today',
    errorsToday_other: '{{count}} errors today',
    secretEnds: 'A secret expires {{when}}',
    disabled: 'Disabled',
    empty: {
      title: 'Register your first app',
      text: 'Begin with what is closest to yours.',
      web: {
        title: 'A web app',
        text: 'It runs on a server of yours.',
        needs: 'Needs: an address people return to. While you develop, http://localhost is enough.',
      },
      spa: {
        title: 'An app in the browser',
        text: 'It runs in the browser alone, without a server of its own.',
        needs: 'Needs: an address people return to. While you develop, http://localhost is enough.',
      },
      native: {
        title: 'An app for phone or computer',
        text: 'People install it on their own devices.',
        needs: 'Needs: an address that opens the app, or http://127.0.0.1.',
      },
      device: {
        title: 'An app on a device',
        text: 'A lamp, a speaker or a TV without a browser.',
        needs: 'Needs: nothing but a name. People confirm a code on their phone.',
      },
      machine: {
        title: 'Machine to machine',
        text: 'A program that runs without a user.',
        needs: 'Needs: nothing but a name.',
      },
      voice: {
        title: 'A voice assistant',
        text: 'People control their lamps by voice.',
        needs: 'Needs: your vendor ID at Alexa, or your project ID at Google Home.',
      },
    },
    notAllowed: {
      title: 'Your account cannot register apps yet',
      text: '{{brand}} allows developers one by one. Ask support, say what you are building, and give the phone number or e-mail address of this account.',
      ask: 'Ask support',
    },
    access: {
      text: '{{brand}} allows developers one by one. Say what you are building: a message tells you the answer.',
      why: 'What are you building?',
      hint: 'A sentence is enough.',
      ask: 'Ask for access',
      blank: 'Say what you are building',
      long: 'Use at most 500 characters',
      waiting: 'You asked for access',
      waitingText: 'You asked on {{when}}. A message tells you the answer.',
      refused: 'Your request was not granted',
      refusedText: 'You can ask again from {{when}} on.',
    },
    stronger: {
      title: 'Sign in with your second step',
      text: '{{brand}} shows and changes apps only after a sign-in with a second step or a passkey. If your account has neither, add one first.',
      signIn: 'Sign in again',
      account: 'Go to my account',
    },
    reference: {
      label: 'Reference of an error',
      hint: 'Every error page and refused request has one. It opens here if the error belongs to one of your apps.',
      find: 'Find the error',
      none: 'None of your apps has an error of this reference. A new error may take a few seconds to arrive here. Errors are kept for 7 days.',
    },
  },
  presets: {
    web: { name: 'Web app', text: 'Runs on a server, which keeps a secret.' },
    spa: { name: 'App in the browser', text: 'Runs in the browser alone, so it has no secret.' },
    native: {
      name: 'App for phone or computer',
      text: 'Installed on people’s devices, so it has no secret.',
    },
    device: { name: 'App on a device', text: 'Has no browser: people confirm a code on their phone.' },
    alexa: { name: 'Alexa skill', text: 'Voice assistant of Amazon.' },
    'google-home': { name: 'Google Home integration', text: 'Voice assistant and home app of Google.' },
    'home-assistant': { name: 'Home Assistant integration', text: 'A hub in people’s own homes.' },
    alice: { name: 'Alice skill', text: 'Voice assistant of Yandex.' },
    salute: { name: 'Salute integration', text: 'Voice assistants of Sber.' },
    'tmall-genie': { name: 'Tmall Genie skill', text: 'Voice assistant of Alibaba (AliGenie).' },
    xiaodu: { name: 'Xiaodu skill', text: 'Voice assistant of Baidu (DuerOS).' },
    smartthings: { name: 'SmartThings integration', text: 'Home app of Samsung.' },
    ifttt: { name: 'IFTTT service', text: 'Automation between services.' },
    'aws-iot': { name: 'AWS IoT connector', text: 'Platforms that run on AWS IoT managed integrations.' },
    machine: { name: 'Machine to machine', text: 'Runs without a user.' },
    fapi: { name: 'App with signed requests', text: 'Runs on a server and signs with its own key.' },
    other: { name: 'App', text: 'Registered without a kind.' },
  },
  newClient: {
    title: 'Register an app',
    text: 'Three questions. You can change all answers but the first later.',
    kind: 'What is it?',
    platform: 'Or does it link homes to a platform?',
    name: 'What is it called?',
    nameHint: 'People read this name when they approve the app.',
    where: 'Where do people return to?',
    nowhere: 'This kind of app needs no return address, so there is nothing to enter.',
    uris: 'Return address',
    urisHint: 'Exactly as your app sends it. While you develop, http://localhost works too.',
    urisOfNative:
      'An https:// address, a scheme of your own such as com.example.app:/callback, or http://127.0.0.1.',
    urisOfPlatform:
      'Everybody returns here from this platform. It is set for you, and you can change it later.',
    urisFromPlatform: 'The platform shows it to you when you set up the app there.',
    vendor: 'Vendor ID at Alexa',
    vendorHint: 'In the Alexa developer console, at the end of each redirect URL of account linking.',
    project: 'Project ID at Google Home',
    projectHint: 'In the Google Home developer console, under the name of the project.',
    service: 'Service ID at IFTTT',
    serviceHint: 'In the IFTTT platform console, on the tab of your service.',
    submit: 'Register',
  },
  madeSecret: {
    title: 'The secret of {{app}}',
    titleOf: 'The new secret of {{app}}: {{name}}',
    text: 'Copy it to where your app runs. You will not see it again.',
    download: 'Download as .env',
    done: 'Done',
    askTitle: 'Have you kept the secret?',
    askText: 'It is not shown again. If it is lost, you can only add another one.',
    askReplaced: 'It is not shown again. If it is lost, make a new one, which takes its place.',
    back: 'Show it once more',
    kept: 'Yes, I have kept it',
  },
  client,
  linkCheck,
  overview,
  signals,
  documentation,
  errors: clientErrors,
  trial,
  trouble,
  usage,
  snippets,
};
