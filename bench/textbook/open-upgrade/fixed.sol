// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract CounterLogic {
    uint256 private unused;
    uint256 public count;

    function increment() external {
        count += 1;
    }
}

contract OpenProxy {
    address public implementation;
    address public admin;

    constructor(address logic) payable {
        implementation = logic;
        admin = msg.sender;
    }

    function upgradeTo(address next) external {
        require(msg.sender == admin, "not admin");
        implementation = next;
    }

    receive() external payable {}

    fallback() external payable {
        (bool ok, bytes memory answer) = implementation.delegatecall(msg.data);
        require(ok, "call failed");
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}
