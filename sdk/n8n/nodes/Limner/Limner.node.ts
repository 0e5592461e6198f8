import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { properties } from './properties';

/** A declarative node: n8n makes the calls from its description. */
export class Limner implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Limner',
    name: 'limner',
    icon: 'file:limner.svg',
    group: ['input'],
    version: 1,
    subtitle: '={{ $parameter["operation"] }}',
    description: 'Read design tokens, brands, components and assets from public web pages',
    defaults: { name: 'Limner' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'limnerApi', required: true }],
    requestDefaults: {
      baseURL: '={{ $credentials.baseUrl.replace(/\\/+(v1\\/*)?$/, "") }}/v1',
      headers: { Accept: 'application/json, text/*' },
    },
    properties,
  };
}
