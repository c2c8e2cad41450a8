import { LinkBody, SignedLink } from '../../../protocol/api/sign-in.ts';
import { type Route, route } from '../route.ts';

export const LINK_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/links',
    role: 'viewer',
    summary:
      'A signed link for a download, which cannot carry a header: for one address of the API with its query, with GET, for 60 seconds, as the one who asks',
    body: LinkBody,
    answer: { status: 201, schema: SignedLink },
    handle: ({ links }, { body: { path }, actor, signIn }) => {
      const link = links.sign(path, { token: actor.name, signIn });
      return link === undefined ? { refused: 'bad-request', message: 'Only addresses below /api/ can be signed' } : { status: 201, body: link };
    },
  }),
];
