import { describe, expect, it } from "vitest";
import { classifyAddress } from "./classify-address.ts";

// First and last address of every row of the IANA special-purpose registries, and their neighbors.
const special = `
0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.0.0.1
127.255.255.255 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.8
192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.171 192.0.0.255 192.0.2.0 192.0.2.255 192.31.196.0 192.31.196.255
192.52.193.0 192.52.193.255 192.88.99.0 192.88.99.2 192.88.99.255 192.168.0.0 192.168.255.255 192.175.48.0
192.175.48.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0
239.255.255.255 240.0.0.0 255.255.255.254 255.255.255.255
:: ::1 ::2 ::7f00:1 ::127.0.0.1 ::10.0.0.1 ::8.8.8.8
::ffff:ffff ::ffff:0.0.0.0 ::ffff:10.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1
0:0:0:0:0:ffff:a9fe:a9fe 0000:0000:0000:0000:0000:ffff:c0a8:0001 ::ffff:0:127.0.0.1 ::ffff:0:808:808
64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b::ffff:ffff 64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
100:: 100::ffff:ffff:ffff:ffff 100:0:0:1:: 100:0:0:1:ffff:ffff:ffff:ffff 200::1 400::1
2001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001::ffff:ffff 2001:1::1 2001:1::2 2001:1::3 2001:2:: 2001:2:0:ffff::
2001:3:: 2001:3:ffff:: 2001:4:112:: 2001:4:112:ffff:: 2001:10:: 2001:1f:ffff:: 2001:20:: 2001:2f:ffff:: 2001:30::
2001:3f:ffff:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
2002:: 2002:7f00:1:: 2002:a00:1:: 2002:808:808:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff
3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 4000::1 5f00:: 5f00:ffff::
6000::1 8000::1 c000::1 e000::1 fc00:: fd00::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fd00:ec2::254 fe00::1
fe80:: fe80::1 febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ff00:: ff02::1
ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`;

const notCanonical = `
0177.0.0.1 010.0.0.1 0x7f.0.0.1 0x7f000001 2130706433 127.1 127.0.1 127.0.0.1. [::1] localhost fe80::1%eth0
2606:4700::1111%lo 1.2.3.4.5 256.1.1.1 8.8.8.8/32 8.8.8.8:80 :::1 ::g １２７.0.0.1 ::256.1.1.1
`;

const open = `
1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.31.195.255 192.31.197.0 192.52.192.255 192.52.194.0
192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.47.255 192.175.49.0 198.17.255.255
198.20.0.0 198.51.99.255
198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 ::ffff:8.8.8.8 ::ffff:808:808
2001:200:: 2001:db7:ffff:: 2001:db9:: 2001:4860:4860::8888 2003:: 2606:4700:4700::1111
2620:4f:7fff:: 2620:4f:8001:: 2a00:1450::
3ffe:ffff::
`;

const rows = (text: string) => text.split(/\s+/).filter((row) => row !== "");

describe("classifyAddress", () => {
  it.each(rows(special))("%s is special", (address) => {
    expect(classifyAddress(address)).toMatchObject({ kind: "special" });
    expect(classifyAddress(address)).not.toMatchObject({ name: "invalid" });
  });

  it.each([...rows(notCanonical), "", " ", "127.0.0.1 ", "8.8.8.8\0"])(
    "%j isn't a canonical address, so it isn't public",
    (address) => {
      expect(classifyAddress(address)).toEqual({ kind: "special", name: "invalid" });
    },
  );

  it.each(rows(open))("%s is public", (address) => {
    expect(classifyAddress(address)).toEqual({ kind: "public" });
  });
});
