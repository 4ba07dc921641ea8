// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract PluginWallet {
    address public owner;
    address public plugin;

    constructor() payable {
        owner = msg.sender;
    }

    function setPlugin(address next) external {
        plugin = next;
    }

    function runPlugin(bytes calldata data) external returns (bytes memory) {
        require(plugin != address(0), "no plugin");
        (bool ok, bytes memory answer) = plugin.delegatecall(data); // expect: delegatecall-to-untrusted-callee
        require(ok, "plugin failed");
        return answer;
    }
}
