// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Dividends {
    mapping(uint256 => address) public holderOf;
    uint256 public next = 1;
    uint256 public constant PRICE = 1 ether;
    mapping(uint256 => bool) public isPaid;

    function buy() external payable returns (uint256 id) {
        require(msg.value == PRICE, "price is 1 ether");
        id = next++;
        holderOf[id] = msg.sender;
    }

    function claim(uint256[] calldata ids) external {
        uint256 total;
        for (uint256 i = 0; i < ids.length; i++) {
            require(holderOf[ids[i]] == msg.sender, "not yours");
            require(!isPaid[ids[i]], "already paid"); // expect: repeated-element
            total += PRICE / 2;
        }
        for (uint256 i = 0; i < ids.length; i++) {
            isPaid[ids[i]] = true;
        }
        payable(msg.sender).transfer(total);
    }
}
