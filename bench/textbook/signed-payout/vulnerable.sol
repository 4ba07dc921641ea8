// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract SignedPayout {
    address public immutable signer;

    constructor(address payer) payable {
        signer = payer;
    }

    function cash(address payable to, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 digest = keccak256(abi.encode(address(this), block.chainid, to, amount));
        address who = ecrecover(digest, v, r, s); // expect: signature-replay
        require(who != address(0) && who == signer, "bad signature");
        to.transfer(amount);
    }
}
