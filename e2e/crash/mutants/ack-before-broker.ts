import { replaceModule } from "./replace-module.ts";

/** Publishes a batch late, and responds at once as if a majority of the nodes had it. */
replaceModule(
  "/lib/spool/broker-spool.ts",
  `
  import { BrokerSpool as Genuine } from "./broker-spool.ts?genuine";
  export class BrokerSpool {
    static async open(options) {
      const spool = await Genuine.open(options);
      const append = spool.append.bind(spool);
      spool.append = async (deliveries) => void setTimeout(() => append(deliveries).catch(() => {}), 250);
      return spool;
    }
  }`,
);
